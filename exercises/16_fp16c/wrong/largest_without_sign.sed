# expects: pack\(-2.5\): expected 0xffff .*got 0x7fff .*there is no infinity.*NOT DONE: see TODO\(2\)
s/sign | (nearest < 0x7fff ? nearest : 0x7fff)/nearest <= 0x7fff ? sign | nearest : 0x7fff/
