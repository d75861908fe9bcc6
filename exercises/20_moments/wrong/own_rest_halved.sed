# expects: direction 0 rest.*NOT DONE: see TODO\(3\)
s/f\[0\] = 4.0f/f[0] = 2.0f/
