# expects: whose 2.15-fold is the half .*, has become .*what a half can hold.*NOT DONE: see TODO\(1\)
s/>> 19/>> 18/
