# expects: first wrong landing: from cell x=0 y=1, direction 4 S: .*NOT DONE: see TODO\(2\)
s/is_wall(type\[neighbour\])/is_wall(type[cell])/
