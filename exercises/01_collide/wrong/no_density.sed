# expects: first wrong equilibrium: direction 0 rest at density 1.1, .*NOT DONE: see TODO\(1\)
s/ + drho);/);/
