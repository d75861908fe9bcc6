# expects: first wrong index: population 1 E of cell 0 .*NOT DONE: see TODO\(1\)
s/return i \* cells + cell;/return cell + i + 0 * cells;/
