# expects: load_pair, cells 4 and 5, shift 0: expected the halves 4 and 5.*NOT DONE: see TODO\(1\)
s/unpack(__low2half(both))/unpack(__high2half(both))/
s/right = unpack(__high2half(both))/right = unpack(__low2half(both))/
