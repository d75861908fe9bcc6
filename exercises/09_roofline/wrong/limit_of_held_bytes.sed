# expects: percent_03: 43.8 is not right, it is too small.*NOT DONE: see TODO\(7\)
s/^percent_03 .*/percent_03 = 43.8/
