# expects: first wrong equilibrium: direction 0 rest at density 1, velocity \(0.1, 0\).*NOT DONE: see TODO\(1\)
s/1.5f \* uu/1.5f * eu * eu/
