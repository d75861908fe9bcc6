# expects: ranks wait for each other for ever.*NOT DONE: see TODO\(2\)
s/above, 0, in/above, 1, in/
