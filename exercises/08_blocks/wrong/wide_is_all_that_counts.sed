# expects: sectors_8x32: 8 is not right.*NOT DONE: see TODO\(1\)
s/^sectors_8x32 .*/sectors_8x32 = 8/
