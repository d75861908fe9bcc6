# expects: first wrong gain: direction 1 E, wall velocity \(0.1, 0\): expected -0.06667, got 0.06667.*NOT DONE: see TODO\(1\)
s/-6.0f/6.0f/
