# expects: of 64 threads reach __syncthreads.*fewer numbers than threads.*NOT DONE: see TODO\(3\)
s/^    share\[t\] = .*/    if (n >= count)\n        return;\n    share[t] = numbers[n];/
