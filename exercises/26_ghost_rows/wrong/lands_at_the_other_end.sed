# expects: first wrong number after .arrive.: .*no walls here.*NOT DONE: see TODO\(3\)
s/y = n < 3 ? 1 : physics.height - 2/y = n < 3 ? physics.height - 2 : 1/
