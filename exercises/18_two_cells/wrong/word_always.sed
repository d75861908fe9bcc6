# expects: it crashed.*a word would begin in the middle of another one.*NOT DONE: see TODO\(1\)
s/= shift ? .* : \*(const __half2 \*)from;/= *(const __half2 *)from;/
