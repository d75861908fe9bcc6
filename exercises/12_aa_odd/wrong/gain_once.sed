# expects: cavity, 13 x 9, after step 2.*NOT DONE: see TODO\(1\), TODO\(2\)
s/= grid\[slot\[i\]\] + gain\[i\]/= grid[slot[i]]/
