# expects: were right before you began.*NOT DONE: see TODO\(1\) to TODO\(4\)
/^LANE_FUNCTION void climb/,/^}/s/row_below(here, 1, physics->height)/here/
