# expects: a half lacks more than 13 bits.*NOT DONE: see TODO\(1\)
s/0x1p-97f/32768.0f/
s/f\[i\] \* 0x1p112f + small/isnan(small) ? small : f[i]/
