# expects: first wrong code: .*to nearest.*NOT DONE: see TODO\(2\)
s/(magnitude + 0x07ff + (magnitude >> 12 \& 1)) >> 12/magnitude >> 12/
