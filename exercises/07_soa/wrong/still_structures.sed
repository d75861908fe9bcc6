# expects: first wrong index: population 0 rest of cell 1 .*expected place 1, got 9.*NOT DONE: see TODO\(1\)
s/return i \* cells + cell;/return 9 * cell + i + 0 * cells;/
