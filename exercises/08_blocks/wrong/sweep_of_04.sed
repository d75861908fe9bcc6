# expects: expected a sweep of 02_soa, got one of 04_aa_fp16s.*NOT DONE: see the line "table"
s/^table .*/table = sweep_of_04.csv/
