# expects: has been added a thousand times, and has come to.*NOT DONE: see TODO\(2\)
s/hash(solver->steps)/hash(solver->steps % 2)/
