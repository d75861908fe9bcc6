# expects: first wrong population: .*NOT DONE: see point 2 
/^static void read/,/^}/s/solver->f\[/solver->next[/
