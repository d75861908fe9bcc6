# expects: first wrong byte: .*Direction i has bit i - 1.*NOT DONE: see TODO\(1\)
s/ << (i - 1);/ << i;/
