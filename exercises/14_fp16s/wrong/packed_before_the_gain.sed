# expects: first wrong bits: .*after step 4.*NOT DONE: see TODO\(3\) and TODO\(4\)
s/pack(f\[i\] + gain\[i\])/pack(unpack(pack(f[i])) + gain[i])/
