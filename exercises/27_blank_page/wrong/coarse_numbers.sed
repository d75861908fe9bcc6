# expects: epsilon: expected a number up to 2.-24 .*NOT DONE: see point 1 
s/1.0 \/ (1 << 24)/1.0 \/ (1 << 12)/
