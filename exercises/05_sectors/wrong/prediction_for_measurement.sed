# expects: speedup: 4 is not right, it is too large.*NOT DONE: see TODO\(4\)
s/^speedup .*/speedup = 4/
