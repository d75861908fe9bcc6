# expects: first wrong gain: from cell x=1 y=3, direction 5 NE: .*NOT DONE: see TODO\(3\)
s/wall_gain\[i\]/wall_gain[opposite(i)]/
