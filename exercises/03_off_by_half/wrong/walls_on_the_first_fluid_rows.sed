# expects: first wrong velocity: row y=1 of a channel of 12 rows: stage 00 finds 0.00950, your formula 0.00000.*NOT DONE: see TODO\(2\)
s/(y - 0.5) \* (height - 1.5 - y)/(y - 1) * (height - 2 - y)/
