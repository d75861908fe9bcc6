# expects: half_size: 121800 is not right, it is too large.*NOT DONE: see TODO\(5\)
s/^half_size .*/half_size = 121800/
