# expects: speed: .*right, but too slow.*NOT DONE: see point 11 
/^    INDEPENDENT$/d
