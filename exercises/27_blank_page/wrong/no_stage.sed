# expects: the file defines no STAGE: .*NOT DONE: see point 1 
s/^const Stage STAGE = /const Stage my_stage = /
