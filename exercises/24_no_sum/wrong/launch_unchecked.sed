# expects: went unnoticed.*NOT DONE: see TODO\(2\)
s/ LAUNCH_BLOCKS/ BARE_LAUNCH_BLOCKS/
