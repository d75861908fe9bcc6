# expects: a population of 1.99 comes back as inf.*NOT DONE: see TODO\(1\) and TODO\(2\)
s/32768.0f/65536.0f/
