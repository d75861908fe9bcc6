# expects: first wrong value: code 0x0001 .*NOT DONE: see TODO\(1\)
s/small \* 0x1p112f/small * 0x1p113f/
