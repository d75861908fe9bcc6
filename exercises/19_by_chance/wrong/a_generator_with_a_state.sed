# expects: populations differ between two runs.*NOT DONE: see TODO\(2\)
s/hash(solver->steps)/rand()/
