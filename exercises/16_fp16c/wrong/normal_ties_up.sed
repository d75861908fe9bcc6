# expects: expected 0x0800 .*got 0x0801 .*exactly half way.*NOT DONE: see TODO\(2\)
s/0x07ff + (magnitude >> 12 \& 1)/0x07ff + (magnitude >> 23 ? 1 : magnitude >> 12 \& 1)/
