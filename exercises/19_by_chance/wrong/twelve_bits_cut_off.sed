# expects: which is no half: pack would round it once more.*NOT DONE: see TODO\(1\)
s/>> 19/>> 20/
s/~0x1fffu/~0x0fffu/
