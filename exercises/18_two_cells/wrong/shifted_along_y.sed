# expects: it crashed.*the shift is along x.*NOT DONE: see TODO\(3\)
s/ex(i), &f/ey(i), \&f/
s/ex(i), f/ey(i), f/
