# expects: there is no infinity.*NOT DONE: see TODO\(2\)
s/(nearest < 0x7fff ? nearest : 0x7fff)/(nearest \& 0x7fff)/
