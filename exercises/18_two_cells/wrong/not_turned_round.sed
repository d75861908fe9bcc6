# expects: taylor_green, 38 x 22, after step 2.*NOT DONE: see TODO\(3\)
/void odd_step/,/^}/s/\(f\[[01]\]\)\[opposite(i)\]/\1[i]/g
