# expects: table_66: expected a loss of 10 to 100 %, got 0.* %.*NOT DONE: see the line "table_66"
s/^table_66 .*/table_66 = solution_fp32_66.csv/
s/^lost_66 .*/lost_66 = 0/
