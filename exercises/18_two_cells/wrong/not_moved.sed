# expects: taylor_green, 38 x 22, after step 2.*NOT DONE: see TODO\(3\)
/void odd_step/,/^}/s/at(beside(cell, i, physics.width), i, cells), ex(i)/at(cell, i, cells), 0/
