# expects: speed_64: 41084 is not right, it is too large.*NOT DONE: see TODO\(2\)
s/^speed_64 .*/speed_64 = 41084/
