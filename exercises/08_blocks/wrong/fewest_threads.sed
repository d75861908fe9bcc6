# expects: worst: there are slower shapes than 8x4.*NOT DONE: see TODO\(5\)
s/^worst .*/worst = 8x4/
