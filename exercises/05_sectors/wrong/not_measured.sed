# expects: can't read .*bench.csv: .*NOT DONE: see the line "table"
s/^table .*/table = bench.csv/
