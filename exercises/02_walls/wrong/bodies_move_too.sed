# expects: first wrong gain: .*NOT DONE: see TODO\(3\)
s/type\[neighbour\] == MOVING_WALL/type[neighbour] >= MOVING_WALL/
