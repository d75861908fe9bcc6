# expects: poiseuille, 5 x 9.*NOT DONE: see TODO\(1\)
s/slot\[i\] = at(landing.cell, landing.direction, cells)/slot[i] = at(wrap(y + ey(i), physics.height) * physics.width + wrap(x + ex(i), physics.width), i, cells)/
