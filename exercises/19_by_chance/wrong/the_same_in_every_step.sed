# expects: has been added a thousand times, and has come to.*draw anew in every step.*NOT DONE: see TODO\(2\)
s/hash(solver->steps)/hash(1)/
