# expects: expected what was there .*a wall in a ghost row.*NOT DONE: see TODO\(3\)
s/ && origin.cell != cell)/)/
