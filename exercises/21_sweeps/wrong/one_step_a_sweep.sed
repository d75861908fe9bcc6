# expects: STEPS is 1.*NOT DONE: see TODO\(1\) to TODO\(4\)
s/STEPS = 5/STEPS = 1/
