# expects: first wrong number after .arrive.: .*a wall in a ghost row.*NOT DONE: see TODO\(3\)
s/x, y, opposite(i))/x, y, i)/
