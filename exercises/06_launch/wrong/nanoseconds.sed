# expects: microseconds_64: 99.7 is not right, it is too large.*NOT DONE: see TODO\(1\)
s/^microseconds_64 .*/microseconds_64 = 99.7/
