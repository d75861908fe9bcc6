# expects: .advance. makes .*return when its work is done.*NOT DONE: see point 11 
# with: LBM_CHECK_SECONDS=40
s/^    size_t special_count;/&\n    long owed;/
s/^static void advance(/static void work(/
s/^static void read(/static void advance(Solver *solver, int steps)\n{\n    solver->owed += steps;\n}\n\n&/
/static void read(const/,/^}/s/^    memset(f/    Solver *own = (Solver *)solver;\n    for (; own->owed > 0; own->owed--)\n        work(own, 1);\n&/
