# expects: first wrong population: .*channel_cylinder.*NOT DONE: see point 5 
s/collide(f, s->type\[cell\], y,/collide(f, s->type[cell], 0,/
