# expects: cavity, 13 x 9.*NOT DONE: see TODO\(3\) and TODO\(4\)
s/pack(f\[i\] + gain\[i\])/pack(f[i])/
