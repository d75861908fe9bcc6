# expects: outside of an array: byte 20000 of an array of 20000 bytes.*NOT DONE: see TODO\(3\)
s/n < count ? numbers\[n\] : 0.0f/numbers[n]/
