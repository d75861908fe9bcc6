# expects: pack\(1.9.*: expected 0x7fff .*got 0x8000 .*there is no infinity.*NOT DONE: see TODO\(2\)
s/sign | (nearest < 0x7fff ? nearest : 0x7fff)/sign | (f >= 2.0f || f <= -2.0f ? 0x7fff : nearest)/
