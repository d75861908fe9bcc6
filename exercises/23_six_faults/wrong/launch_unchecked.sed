# expects: blocks of 4096 threads, which no device takes, went unnoticed.*NOT DONE: see TODO\(1\)
s/ LAUNCH(/ BARE_LAUNCH(/
