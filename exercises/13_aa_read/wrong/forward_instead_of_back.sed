# expects: after step 1.*NOT DONE: see TODO\(1\)
s/cell \/ s->width, opposite(i))/cell \/ s->width, i)/
