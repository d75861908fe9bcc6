# expects: first wrong population: .*37 x 21, after step 1.*has one cell.*NOT DONE: see TODO\(4\)
s/n < 2 && x + n < physics.width/n < 2/
