# expects: no race, and yet not streamed.*NOT DONE: see TODO\(1\) and TODO\(2\)
s/else if (i < opposite(i))/else/
