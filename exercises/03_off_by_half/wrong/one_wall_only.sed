# expects: first wrong velocity: row y=1 of a channel of 12 rows: .*NOT DONE: see TODO\(2\)
s/height - 1.5 - y/height - 1 - y/
