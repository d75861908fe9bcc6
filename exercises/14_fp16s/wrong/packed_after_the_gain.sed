# expects: first wrong bits: .*after step 2.*NOT DONE: see TODO\(3\) and TODO\(4\)
s/= unpack(grid\[slot\[i\]\]) + gain\[i\]/= unpack(pack(unpack(grid[slot[i]]) + gain[i]))/
