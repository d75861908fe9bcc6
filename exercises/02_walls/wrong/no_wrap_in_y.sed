# expects: what leaves at one edge comes in at the opposite one.*NOT DONE: see TODO\(2\)
s/wrap(y + ey(i), physics->height)/y + ey(i)/
