# expects: first wrong population: .*NOT DONE: see TODO\(2\)
s/solver->f, solver->next);/solver->f, solver->f);/
