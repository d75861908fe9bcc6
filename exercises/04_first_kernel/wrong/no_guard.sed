# expects: NOT DONE: see TODO\(2\)
/x >= physics.width/,+1d
