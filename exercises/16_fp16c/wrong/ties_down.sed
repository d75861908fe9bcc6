# expects: expected 0x0002 .*got 0x0001 .*exactly half way.*NOT DONE: see TODO\(2\)
s/0x07ff + (magnitude >> 12 \& 1)/0x07ff/
