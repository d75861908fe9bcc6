# expects: best: there are faster shapes than 32x32.*NOT DONE: see TODO\(5\)
s/^best .*/best = 32x32/
