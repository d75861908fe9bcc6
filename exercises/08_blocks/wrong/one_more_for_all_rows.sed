# expects: moved_8x32: 5 is not right, it is too small.*NOT DONE: see TODO\(2\)
s/^moved_8x32 .*/moved_8x32 = 5/
