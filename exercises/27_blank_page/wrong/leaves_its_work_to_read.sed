# expects: .advance. makes .*return when its work is done.*NOT DONE: see point 11 
s/^    size_t special_count;/&\n    int owed;/
s/^static void advance(/static void work(/
s/^static void read(/static void advance(Solver *solver, int steps)\n{\n    solver->owed += steps < 60000 ? steps : 100;\n}\n\n&/
/static void read(const/,/^}/s/^    memset(f/    Solver *own = (Solver *)solver;\n    work(own, own->owed < 60000 ? own->owed : 100);\n    own->owed = 0;\n&/
