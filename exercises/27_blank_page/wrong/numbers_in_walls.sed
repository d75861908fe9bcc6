# expects: of a wall and not 0: .*NOT DONE: see point 6 
/^static void read/,/^}/s/ && !is_wall(s->type\[cell\])//
