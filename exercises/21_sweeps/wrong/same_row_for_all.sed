# expects: which row's links.*NOT DONE: see TODO\(1\)
/^LANE_FUNCTION void climb/,/^}/s/row_below(row, t, physics->height)/row/
