# expects: (no race, and yet not streamed|a race).*NOT DONE: see TODO\(1\) and TODO\(2\)
s/else if (i < opposite(i))/else if (i < 5)/
