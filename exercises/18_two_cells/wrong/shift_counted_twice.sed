# expects: load_pair, cells 4 and 5, shift 1: expected the halves 5 and 6.*NOT DONE: see TODO\(1\)
s/__halves2half2(from\[0\], from\[1\])/__halves2half2(from[shift], from[1 + shift])/
