# expects: first wrong population: .*which neighbour.*NOT DONE: see TODO\(3\)
s/f\[opposite(i)\] = half/f[i] = half/
