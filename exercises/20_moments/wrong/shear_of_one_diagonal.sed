# expects: of what is not in equilibrium.*NOT DONE: see TODO\(2\)
s/shear = (f\[5\] + f\[7\]) - (f\[6\] + f\[8\])/shear = f[5] + f[7]/
