# expects: NOT DONE: see TODO\(2\)
s/x >= physics.width ||/x >= physics.width \&\&/
