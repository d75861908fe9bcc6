# expects: peak: expected a number above 0, got -67.*NOT DONE: see TODO\(4\)
s/^peak .*/peak = -67/
s/^balance .*/balance = -22.1/
s/^bound_02 .*/bound_02 = arithmetic/
