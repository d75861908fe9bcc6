# expects: after step 0.*an even number of steps, 0 too.*NOT DONE: see TODO\(1\)
s/steps % 2 != 0/steps % 2 == 0/
