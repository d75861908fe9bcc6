# expects: bytes_03: 37 is not right, it is too small.*NOT DONE: see TODO\(1\)
s/^bytes_03 .*/bytes_03 = 37/
