# expects: were right before you began.*NOT DONE: see TODO\(1\) to TODO\(4\)
s/row_below(bottom, steps, height)/row_below(bottom, steps - 1, height)/
s/int y = bottom - steps;/int y = bottom - steps + 1;/
