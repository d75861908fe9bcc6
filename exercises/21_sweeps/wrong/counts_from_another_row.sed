# expects: were right before you began.*NOT DONE: see TODO\(1\) to TODO\(4\)
s/int row = (first % height + height) % height/int row = chunk.bottom/
