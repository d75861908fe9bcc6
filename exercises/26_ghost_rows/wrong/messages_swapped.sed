# expects: first wrong population: .*2 ranks.*NOT DONE: see TODO\(2\)
s/above, 0, in, count/above, 0, in + count, count/; s/below, 0, in + count, count/below, 0, in, count/
