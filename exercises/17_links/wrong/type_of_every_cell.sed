# expects: asks for types.*after step 1.*NOT DONE: see TODO\(2\)
s/[a-z]*\(\[cell\]\)* == ALL_LINKS ? type\[cell\] : FLUID/type[cell]/
