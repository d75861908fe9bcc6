# expects: first wrong bits: .*right but for roundings.*NOT DONE: see TODO\(3\) and TODO\(4\)
s/gain\[i\] = landing.gain/gain[i] = unpack(pack(landing.gain))/
