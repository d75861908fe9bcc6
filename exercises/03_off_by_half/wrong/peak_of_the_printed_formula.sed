# expects: peak velocity of a channel of 12 rows: expected 0.05, .*NOT DONE: see TODO\(3\)
s/(height - 2) \* (height - 2)/(height - 1) * (height - 1)/
