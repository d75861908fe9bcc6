# expects: columns from the border of its strip.*NOT DONE: see TODO\(3\)
s/COLUMNS - 2 \* STEPS/COLUMNS - STEPS + 1/
/void find_columns/,/^}/s/STEPS/(STEPS \/ 2)/g
