# expects: spacing: 4.66e-10 is not right.*NOT DONE: see TODO\(2\)
s/^spacing .*/spacing = 4.66e-10/
