# expects: the sum of 2048 numbers, threads in the order .*NOT DONE: see TODO\(3\)
/share\[t + half\];/{n;d}
