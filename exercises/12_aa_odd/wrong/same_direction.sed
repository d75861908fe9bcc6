# expects: after step 2.*NOT DONE: see TODO\(1\), TODO\(2\)
s/f\[opposite(i)\] = grid/f[i] = grid/
