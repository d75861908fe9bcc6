# expects: taylor_green, 37 x 5, after step 1.*NOT DONE: see TODO\(2\)
s/f\[9 \* cell + i\] = arrays\[at(cell, i, cells)\]/f[9 * cell + i] = arrays[9 * cell + i]/
s/arrays\[at(cell, i, cells)\] = f/arrays[9 * cell + i] = f/
