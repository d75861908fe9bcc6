# expects: taylor_green, 37 x 5, after step 0.*NOT DONE: see TODO\(2\) and TODO\(3\)
s/f\[9 \* cell + i\] = arrays\[at(cell, i, cells)\]/f[9 * cell + i] = arrays[9 * cell + i]/
