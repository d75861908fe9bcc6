# expects: store_pair takes two halves.*NOT DONE: see TODO\(2\)
s/if (!shift)/if (0)/
