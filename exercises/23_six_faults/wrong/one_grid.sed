# expects: a race: after step 1.*NOT DONE: see TODO\(1\)
s/\*to = solver->next/*to = solver->f/
