# expects: invalid (configuration )?argument.*NOT DONE: see TODO\(1\)
s/THREADS = 256/THREADS = 2048/
