# expects: first wrong landing: .*a body in the stream.*NOT DONE: see TODO\(2\)
s/is_wall(type\[neighbour\])/type[neighbour] == WALL || type[neighbour] == MOVING_WALL/
