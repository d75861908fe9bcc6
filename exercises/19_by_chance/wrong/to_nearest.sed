# expects: in 88.0 % of all draws, and was in 100.0 %.*NOT DONE: see TODO\(1\)
s/(word \* power >> 19)/0x1000/
