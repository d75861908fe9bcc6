# expects: cavity, 13 x 9, after step 2.*gains if the wall moves.*NOT DONE: see TODO\(3\)
s/cells)\]) + landing.gain/cells)])/
