# expects: first wrong index: population 8 SE of cell 1073741823 .*in which type.*NOT DONE: see TODO\(1\)
s/return i \* cells + cell;/const unsigned place = i * cells + cell; return place;/
