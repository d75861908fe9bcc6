# expects: outside of an array.*37 x 21 are not.*NOT DONE: see TODO\(1\)
s|n / physics.width|n / physics.height|
