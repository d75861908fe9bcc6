# expects: it crashed.*at which byte does the second row begin.*NOT DONE: see TODO\(4\)
s/both != 0 || physics.width % 2 != 0/both != 0/
