# expects: taylor_green, 37 x 21, after step 2.*NOT DONE: see TODO\(2\) and TODO\(3\)
/if (stopped != 0)/,/collide/s/stopped << 1 >> i/stopped << 1 >> opposite(i)/
