# expects: first wrong population: direction 0 rest after a collision with omega = 0.6: .*NOT DONE: see TODO\(3\)
s/f\[i\] += omega \* (target - f\[i\])/f[i] += target - omega * f[i]/
