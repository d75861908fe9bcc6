# expects: worst: expected a block shape such as 32x8, got "1 x 128".*NOT DONE: see TODO\(5\)
s/^worst .*/worst = 1 x 128/
