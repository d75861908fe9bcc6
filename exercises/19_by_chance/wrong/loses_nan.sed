# expects: the float 0x7fffffff, .*nan, has become .*NOT DONE: see TODO\(1\)
s/ \* 0x1p112f + small/ * 0x1p112f/
