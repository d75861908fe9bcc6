# expects: first wrong population: .*3 ranks.*NOT DONE: see TODO\(2\)
s/(this_rank() + 1) % ranks/(this_rank() + ranks - 1) % ranks/; s/below = (this_rank() + ranks - 1) % ranks/below = (this_rank() + 1) % ranks/
