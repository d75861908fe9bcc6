# expects: DONE
s/THREADS = 256/THREADS = 32/
