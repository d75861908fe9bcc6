# expects: and yet it asks for links.*NOT DONE: see TODO\(4\)
s/recent & ((2u << steps) - 1)/recent/
