# expects: first wrong population: .*NOT DONE: see TODO\(1\) and TODO\(2\)
s/grid\[at(cell, opposite(i), cells)\] = f\[i\]/grid[at(cell, i, cells)] = f[i]/
