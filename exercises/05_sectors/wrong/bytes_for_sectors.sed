# expects: sectors_aos: 36 is not right, it is too large.*NOT DONE: see TODO\(1\)
s/^sectors_aos .*/sectors_aos = 36/
