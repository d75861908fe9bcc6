# expects: population: 0.1286 is all of it; shifted means without its weight.*NOT DONE: see TODO\(2\)
s/^population .*/population = 0.1286/
