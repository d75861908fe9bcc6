# expects: rounding: expected UNBIASED.*NOT DONE: see TODO\(3\)
s/    UNBIASED/    TO_NEAREST/
