# expects: a population of 1e-06 comes back as .*NOT DONE: see TODO\(1\) and TODO\(2\)
s/f \* 32768.0f/f/;s/ \* (1.0f \/ 32768.0f)//
