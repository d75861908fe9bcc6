# expects: open and inflow cells have the byte 255.*NOT DONE: see TODO\(2\)
s/ALL_LINKS ? type\[cell\] : FLUID/ALL_LINKS ? WALL : FLUID/
