# expects: two cells .* omega = 0.6 expected 0.016, got -0.02667.*NOT DONE: see TODO\(3\)
s|omega \* (target - f\[i\])|(target - f[i]) / omega|
