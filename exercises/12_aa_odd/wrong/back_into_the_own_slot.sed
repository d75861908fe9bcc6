# expects: after step 2.*NOT DONE: see TODO\(1\), TODO\(2\)
s/grid\[slot\[i\]\] = f\[i\] + gain\[i\]/grid[at(cell, i, cells)] = f[i] + gain[i]/
