# expects: ratio: 1.5 is not right, it is too large.*NOT DONE: see TODO\(5\)
s/^ratio .*/ratio = 1.5/
