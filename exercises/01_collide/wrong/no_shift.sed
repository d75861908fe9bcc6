# expects: first wrong equilibrium: direction 0 rest at density 1, velocity \(0, 0\): expected 0, got 0.4444.*NOT DONE: see TODO\(1\)
s/uu) + drho)/uu) + 1.0f + drho)/
