# expects: "prediction" is not filled in.*any guess will do.*NOT DONE: see TODO\(3\)
s/^prediction .*/prediction =/
