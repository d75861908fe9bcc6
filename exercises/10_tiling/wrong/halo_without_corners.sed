# expects: halo_percent: 31.25 is not right, it is too small.*NOT DONE: see TODO\(2\)
s/^halo_percent .*/halo_percent = 31.25/
