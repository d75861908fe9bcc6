# expects: go up together in 40.. %.*each is to draw for itself.*NOT DONE: see TODO\(1\)
s/power \*= 1664525u/power *= 1u/
