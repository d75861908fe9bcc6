# expects: peak: expected TFLOP/s in single precision.*got 3.*NOT DONE: see TODO\(4\)
s/^peak .*/peak = 3/
s/^balance .*/balance = 1/
s/^bound_02 .*/bound_02 = arithmetic/
