# expects: table_34: expected a loss of 1 to 100 %, got .* %.*NOT DONE: see the line "table_34"
s/^table_34 .*/table_34 = fp32_34.csv/
s/^lost_34 .*/lost_34 = 0/
