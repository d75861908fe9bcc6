# expects: first wrong code: .*the sign is the topmost bit.*NOT DONE: see TODO\(2\)
s/bits >> 16 \& 0x8000/0 * bits/
