# expects: were right before you began.*NOT DONE: see TODO\(1\) to TODO\(4\)
s/first = chunk.bottom - steps;/first = chunk.bottom - steps + 1;/
