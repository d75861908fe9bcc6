# expects: first wrong population: cell x=7 y=4.*what tells them apart.*NOT DONE: see TODO\(2\)
s/ALL_LINKS ? type\[cell\] : FLUID/ALL_LINKS ? (type[cell] == FLUID ? WALL : type[cell]) : FLUID/
