# expects: wall cell x=.*expected 0, got .*NOT DONE: see TODO\(1\)
s/ \&\& !is_wall(s->type\[cell\])//
