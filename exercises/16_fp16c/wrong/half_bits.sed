# expects: first wrong value: code 0x.*NOT DONE: see TODO\(1\)
s/0x7fff) << 12/0x7fff) << 13/
