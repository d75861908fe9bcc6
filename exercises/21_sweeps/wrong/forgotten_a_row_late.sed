# expects: and yet it asks for links.*NOT DONE: see TODO\(4\)
s/(2u << steps) - 1/(4u << steps) - 1/
