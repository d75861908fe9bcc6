# expects: first wrong byte: cell x=0 y=0.*there is no wall here.*NOT DONE: see TODO\(1\)
s/ || landing.cell != beside(cell, i, s->width)//
