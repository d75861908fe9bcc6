# expects: the sum of 2048 numbers, threads in the order .*got -?nan.*NOT DONE: see TODO\(3\)
/share\[t\] = n/{n;d}
