# expects: which is an inflow cell: expected 0xff.*NOT DONE: see TODO\(1\)
s/s->type\[cell\] == FLUID ? 0/!is_wall(s->type[cell]) ? 0/
