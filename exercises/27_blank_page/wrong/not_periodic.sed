# expects: first wrong population: .*NOT DONE: see point 3 
s/special |= landing.cell .*;/special |= landing.direction != i;/
