# expects: after step 2.*without a body force all is right.*NOT DONE: see TODO\(2\) and TODO\(3\)
s/f\[opposite(i)\] = grid/f[i] = grid/
s/grid\[slot\[i\]\] = f\[i\]/grid[slot[i]] = f[opposite(i)]/
