# expects: taylor_green, 37 x 21, after step 2.*NOT DONE: see TODO\(1\), TODO\(2\) and TODO\(3\)
s/grid\[slot\[i\]\] = f\[i\] + gain\[i\]/grid[at(cell, opposite(i), cells)] = f[i]/
