# expects: bytes_64: 147456 is not right, it is too small.*NOT DONE: see TODO\(1\)
s/^bytes_64 .*/bytes_64 = 147456/
