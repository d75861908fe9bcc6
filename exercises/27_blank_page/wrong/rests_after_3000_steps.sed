# expects: FAIL.*of the checks of .lbm validate. fail.*NOT DONE: see point 12 
s/^    size_t special_count;/&\n    long made;/
/^static void advance/,/^}/s/^    for (.*/&\n        if (solver->scenario->width != 512 \&\& solver->made++ >= 3000)\n            return;/
