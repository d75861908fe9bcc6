# expects: expected 0x0802 .*got 0x0801 .*exactly half way.*NOT DONE: see TODO\(2\)
s/0x07ff + (magnitude >> 12 \& 1)/0x07ff + (magnitude >> 23 ? 0 : magnitude >> 12 \& 1)/
