# expects: against stage 00: .*NOT DONE: see point 10 
s/physics.width)\] = f\[i\];/physics.width)] = 1.0000001f * f[i];/
