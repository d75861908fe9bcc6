# expects: fluid rows of a channel of 5 rows: expected 3, got 4.*NOT DONE: see TODO\(1\)
s/return height - 2;/return height - 1;/
