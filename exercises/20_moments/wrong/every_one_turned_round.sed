# expects: first wrong population: .*which neighbour.*NOT DONE: see TODO\(3\)
s/from.direction == i ? -other : other/other/
