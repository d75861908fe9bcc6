# expects: reads: 9 is not right, it is too large.*NOT DONE: see TODO\(1\)
s/^reads .*/reads = 9/
