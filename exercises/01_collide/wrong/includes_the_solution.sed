# expects: line 1 of .* includes exercises/01_collide/solution.c.*NOT DONE: see "Task" in README.md
1i\
#include "solution.c"
d
