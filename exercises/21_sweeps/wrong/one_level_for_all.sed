# expects: first wrong population: .*every level keeps its own.*NOT DONE: see TODO\(1\)
/^LANE_FUNCTION void climb/,/^}/s/level\[t\]/level[0]/g
