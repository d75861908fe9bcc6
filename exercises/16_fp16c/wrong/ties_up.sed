# expects: expected 0x0000 .*got 0x0001 .*exactly half way.*NOT DONE: see TODO\(2\)
s/0x07ff + (magnitude >> 12 \& 1)/0x0800/
