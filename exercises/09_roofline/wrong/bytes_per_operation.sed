# expects: intensity_02: 0.49 is not right.*NOT DONE: see TODO\(2\)
s/^intensity_02 .*/intensity_02 = 0.49/
