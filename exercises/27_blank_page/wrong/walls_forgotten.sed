# expects: first wrong population: .*NOT DONE: see point 4 
s/special |= landing.cell/special |= landing.direction == i \&\& landing.cell/
