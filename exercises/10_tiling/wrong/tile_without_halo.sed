# expects: shared_bytes: 9216 is not right, it is too small.*NOT DONE: see TODO\(2\)
s/^shared_bytes .*/shared_bytes = 9216/
