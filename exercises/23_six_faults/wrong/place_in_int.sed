# expects: population 8 of the last of 1073741824 cells: expected place 9663676415.*NOT DONE: see TODO\(1\)
s/at(size_t cell, int i, size_t cells)/at(int cell, int i, int cells)/
