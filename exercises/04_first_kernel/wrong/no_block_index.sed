# expects: taylor_green, 64 x 24, .*NOT DONE: see TODO\(1\)
s/blockIdx\.\([xy]\) \* blockDim\.[xy] + //
