# expects: DONE
s/STEPS = 5/STEPS = 7/
