# expects: worst: expected a block shape of your table, got "1x100".*NOT DONE: see TODO\(5\)
s/^worst .*/worst = 1x100/
