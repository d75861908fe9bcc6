# expects: first wrong population: .*NOT DONE: see TODO\(2\)
s/cell < last + 1/cell < last/
