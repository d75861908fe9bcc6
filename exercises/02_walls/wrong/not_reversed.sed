# expects: first wrong landing: from cell x=0 y=1, direction 4 S: expected x=0 y=1, direction 2 N, got x=0 y=1, direction 4 S.*NOT DONE: see TODO\(2\)
/landing.direction = /d
