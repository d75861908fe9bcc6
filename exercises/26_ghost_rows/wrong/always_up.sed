# expects: first wrong number of what leaves: row n=3.*NOT DONE: see TODO\(1\)
s/(n < 3 ? cells - width : 0)/cells - width/
