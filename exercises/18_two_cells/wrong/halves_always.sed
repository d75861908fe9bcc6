# expects: load_pair takes two halves.*NOT DONE: see TODO\(1\)
s/= shift ? \(.*\) : \*(const __half2 \*)from;/= \1;/
