# expects: the sum of 5000 numbers.*got -?nan.*NOT DONE: see TODO\(3\)
s/^    share\[t\] = .*/    if (n < count)\n        share[t] = numbers[n];/
