# expects: were right before you began.*NOT DONE: see TODO\(1\) to TODO\(4\)
s/row_below(bottom, steps, height)/bottom/
