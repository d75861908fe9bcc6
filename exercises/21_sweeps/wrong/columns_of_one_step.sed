# expects: columns from the border of its strip.*NOT DONE: see TODO\(3\)
s/COLUMNS - 2 \* STEPS/COLUMNS - 2/
/void find_columns/,/^}/s/STEPS/1/g
