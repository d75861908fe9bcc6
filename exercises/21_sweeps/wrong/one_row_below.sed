# expects: how far below.*NOT DONE: see TODO\(2\)
s/first = chunk.bottom - steps;/first = chunk.bottom - 1;/
