# expects: first wrong number of what leaves: .*NOT DONE: see TODO\(1\)
s/n < 3 ? cells - width : 0/n < 3 ? 0 : cells - width/
