# expects: first wrong population: .*NOT DONE: see TODO\(1\)
/^LANE_FUNCTION void climb/,/^}/s/t < steps/t < (steps < 2 ? steps : 2)/
