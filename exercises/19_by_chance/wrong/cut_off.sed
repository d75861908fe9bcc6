# expects: the upper one is to be drawn in 88.0 % of all draws, and was in 0.0 %.*NOT DONE: see TODO\(1\)
s/(word \* power >> 19)/0/
