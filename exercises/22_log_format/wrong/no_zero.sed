# expects: first wrong value: code 0x0000.*NOT DONE: see TODO\(1\)
s/m == 0 ? 0.0f : //
