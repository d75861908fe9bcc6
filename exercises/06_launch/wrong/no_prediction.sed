# expects: "prediction" is not filled in.*can't be wrong, only missing.*NOT DONE: see TODO\(3\)
s/^prediction .*/prediction =/
