# expects: first wrong population: .*NOT DONE: see point 5 
s/collide(f, s->type\[cell\], y,/collide(f, FLUID, y,/
