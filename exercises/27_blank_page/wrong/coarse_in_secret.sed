# expects: first wrong population: .*NOT DONE: see point 3 
s/physics.width)\] = f\[i\];/physics.width)] = (float)(int)(65536.0f * f[i]) \/ 65536.0f;/
