# expects: stand_in.csv was measured on the stand-in.*NOT DONE: see the line "table"
s/^table .*/table = stand_in.csv/
s/^size .*/size = 64/
s/^speedup .*/speedup = 1.25/
