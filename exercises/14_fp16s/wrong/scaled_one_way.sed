# expects: a population of 0.25 comes back as 8192.*NOT DONE: see TODO\(1\) and TODO\(2\)
s/ \* (1.0f \/ 32768.0f)//
