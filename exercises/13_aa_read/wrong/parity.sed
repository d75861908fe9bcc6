# expects: after step 0.*NOT DONE: see TODO\(1\)
s/steps % 2 != 0/steps % 2 == 0/
