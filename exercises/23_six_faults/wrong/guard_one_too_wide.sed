# expects: outside of an array: byte 777 of an array of 777 bytes.*37 x 21 are not.*NOT DONE: see TODO\(1\)
s/n >= cells/n > cells/
