# expects: it crashed.*NOT DONE: see TODO\(2\)
s/if (!shift)/if (1)/
