# expects: types_8x32: 1 is not right, it is too small.*NOT DONE: see TODO\(2\)
s/^types_8x32 .*/types_8x32 = 1/
