# expects: peak: expected TFLOP/s in single precision.*got -67.*NOT DONE: see TODO\(4\)
s/^peak .*/peak = -67/
s/^balance .*/balance = -22.1/
