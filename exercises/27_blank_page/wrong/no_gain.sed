# expects: first wrong population: .*NOT DONE: see point 4 
s/ + landing.gain//
