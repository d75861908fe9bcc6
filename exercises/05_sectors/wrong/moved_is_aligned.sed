# expects: sectors_moved: 4 is not right.*NOT DONE: see TODO\(2\)
s/^sectors_moved .*/sectors_moved = 4/
