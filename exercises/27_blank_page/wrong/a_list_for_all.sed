# expects: (two solvers at a time|outside of an array).*NOT DONE: see point 7 
s/solver->special/special/g
s/^static void find_special/static CellNumber *special;\nstatic size_t special_count;\n\n&/
s/^    special = /    special_count = 0;\n&/
/^    free(special);/d
