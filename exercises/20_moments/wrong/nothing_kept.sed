# expects: of what is not in equilibrium.*NOT DONE: see TODO\(2\)
s/+= physics->omega \* (j/+= 1.0f * (j/
