# expects: cavity, 37 x 21.*NOT DONE: see TODO\(2\)
s/+= landing.gain/+= 0.0f/
