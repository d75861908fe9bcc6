# expects: of 64 threads reach __syncthreads.*fewer numbers than threads.*NOT DONE: see TODO\(3\)
s/^    part\[t\] = .*/    if (n >= count)\n        return;\n    part[t] = numbers[n];/
