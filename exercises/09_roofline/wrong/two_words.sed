# expects: why: expected a sentence of three words or more, got "Same bytes.".*NOT DONE: see TODO\(8\)
s/^why .*/why = Same bytes./
