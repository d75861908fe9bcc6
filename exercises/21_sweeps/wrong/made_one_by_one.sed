# expects: more than one sweep.*NOT DONE: see TODO\(1\) to TODO\(4\)
s/made = steps - n < STEPS ? 1 : STEPS;/made = 1;/
