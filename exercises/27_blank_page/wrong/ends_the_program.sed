# expects: it ended before the check did: what calls exit.*NOT DONE
s/^    (void)block;.*/&\n    exit(0);/
