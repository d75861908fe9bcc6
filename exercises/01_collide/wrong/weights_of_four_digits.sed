# expects: first wrong equilibrium: direction 0 rest at density 1.1, .*NOT DONE: see TODO\(1\)
s/return weight(i)/return (i == 0 ? 0.4444f : i < 5 ? 0.1111f : 0.0278f)/
