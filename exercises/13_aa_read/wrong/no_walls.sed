# expects: poiseuille, 5 x 9.*away from walls all is right.*NOT DONE: see TODO\(1\)
s/from = boundary(.*/from.cell = wrap((int)cell \/ s->width - ey(i), s->height) * s->width + wrap((int)cell % s->width - ex(i), s->width), from.direction = opposite(i);/
