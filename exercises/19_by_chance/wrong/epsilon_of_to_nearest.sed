# expects: epsilon: expected 0.000976562, got 0.000488281.*NOT DONE: see TODO\(3\)
s/1 << 10/1 << 11/
