# expects: two cells .* omega = 0.6 expected 0.016, got -0.024.*NOT DONE: see TODO\(3\)
s/f\[i\] += /f[i] = /
