# expects: a thread of a block of 64 waits 1 times .*NOT DONE: see TODO\(3\)
/^    for (unsigned half/,/^    }/d
s/^    if (t == 0)/    for (unsigned k = 1; t == 0 \&\& k < blockDim.x; k++)\n        share[0] += share[k];\n&/
