# expects: the sum of 5000 numbers.*got -?nan.*NOT DONE: see TODO\(3\)
s/^    part\[t\] = .*/    if (n < count)\n        part[t] = numbers[n];/
