# expects: STAGE lacks the function .read.*NOT DONE: see point 1 
s/^    read,$/    NULL,/
