# expects: first wrong byte: cell x=1 y=1, which is fluid: expected 0xec .*a wall stops.*NOT DONE: see TODO\(1\)
s/landing.direction != i || landing.cell != beside(cell, i, s->width)/landing.direction == i \&\& landing.cell != beside(cell, i, s->width)/
