# expects: without a body force all is right.*NOT DONE: see TODO\(3\)
/void odd_step/,/^}/s/\(f\[[01]\]\)\[opposite(i)\]/\1[i]/g
/void odd_step/,/^}/s/f\[0\]\[i\], f\[1\]\[i\])/f[0][opposite(i)], f[1][opposite(i)])/
