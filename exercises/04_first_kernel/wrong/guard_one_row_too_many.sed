# expects: NOT DONE: see TODO\(2\)
s/y >= physics/y > physics/
