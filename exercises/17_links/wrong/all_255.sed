# expects: first wrong byte: cell x=0 y=0, which is fluid: .*got 0xff.*NOT DONE: see TODO\(1\)
s/s->type\[cell\] == FLUID ? 0 : ALL_LINKS/ALL_LINKS/
