# expects: first wrong landing: .*which cell's type decides.*NOT DONE: see TODO\(2\)
s/is_wall(type\[neighbour\])/type[neighbour] == WALL/
