# expects: the upper one is to be drawn in .*NOT DONE: see TODO\(1\)
s/>> 19/>> 20/
