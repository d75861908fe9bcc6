# expects: how far below.*NOT DONE: see TODO\(2\)
s/row_below(bottom, steps, height)/row_below(bottom, 1, height)/
s/int y = bottom - steps;/int y = bottom - 1;/
