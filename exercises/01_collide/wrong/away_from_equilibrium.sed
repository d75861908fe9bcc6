# expects: two cells .* omega = 0.6 expected 0.016, got 0.064.*NOT DONE: see TODO\(3\)
s/target - f\[i\]/f[i] - target/
