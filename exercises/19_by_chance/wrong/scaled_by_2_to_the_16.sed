# expects: a population of .* has become.*NOT DONE: see TODO\(1\)
s/0x1p112f/0x1p113f/
