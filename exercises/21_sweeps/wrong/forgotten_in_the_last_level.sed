# expects: ends its last step.*NOT DONE: see TODO\(4\)
s/(2u << steps) - 1/(1u << steps) - 1/
