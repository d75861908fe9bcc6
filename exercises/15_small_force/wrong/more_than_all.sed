# expects: prediction: expected a number from 0 to 100, got 1e\+300.*NOT DONE: see TODO\(3\)
s/^prediction .*/prediction = 1e300/
