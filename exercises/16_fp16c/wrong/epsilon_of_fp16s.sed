# expects: epsilon: expected 0.000244141, got 0.000488281.*NOT DONE: see TODO\(3\)
s/1 << 12)/1 << 11)/
