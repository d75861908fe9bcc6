# expects: were right before you began.*NOT DONE: see TODO\(1\) to TODO\(4\)
/void find_columns/,/^}/s/STEPS/(2 * STEPS)/g
