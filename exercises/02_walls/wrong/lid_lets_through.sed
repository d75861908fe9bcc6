# expects: first wrong landing: .*NOT DONE: see TODO\(2\)
s/is_wall(type\[neighbour\])/type[neighbour] == WALL/
