# expects: fluid rows of a channel of 34 rows: expected 32, got 3[^0-9].*NOT DONE: see TODO\(1\)
s/return height - 2;/return 3;/
