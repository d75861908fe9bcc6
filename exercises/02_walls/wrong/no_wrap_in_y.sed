# expects: first wrong landing: from cell x=0 y=0, direction 4 S: .*what leaves at one edge.*NOT DONE: see TODO\(2\)
s/wrap(y + ey(i), physics->height)/y + ey(i)/
