# expects: outside of an array: byte [0-9]+ of an array of [0-9]+ bytes.*NOT DONE: see point 3
s/solver->next = (float \*)allocate(9 \* solver->size/solver->next = (float *)allocate(8 * solver->size/
