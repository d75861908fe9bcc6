# expects: outside of an array: byte [0-9]+ of an array of [0-9]+ bytes.*NOT DONE: see point 2
s/allocate(cell_count(s) \* sizeof \*solver->special)/allocate(30 * sizeof *solver->special)/
