# expects: after step 1.*NOT DONE: see TODO\(1\)
s/from = boundary(.*/from.direction = opposite(i);/
