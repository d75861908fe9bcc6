# expects: NOT DONE: see TODO\(2\)
s/x >= physics/x > physics/
