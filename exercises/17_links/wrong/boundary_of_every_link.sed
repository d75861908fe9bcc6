# expects: asks for types.*after step 2.*NOT DONE: see TODO\(2\) and TODO\(3\)
s/if (stopped != 0)/if (1)/
s/if (stopped << 1 >> i & 1)/if (1)/
