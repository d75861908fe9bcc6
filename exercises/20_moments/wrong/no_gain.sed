# expects: the lid.*NOT DONE: see TODO\(3\)
s/ + from.gain;/;/
