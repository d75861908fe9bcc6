# expects: taylor_green, 37 x 21, after step 2.*NOT DONE: see TODO\(3\) and TODO\(4\)
s/f\[opposite(i)\] = unpack/f[i] = unpack/
