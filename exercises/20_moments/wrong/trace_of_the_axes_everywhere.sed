# expects: first wrong half sum: .*5 and 7.*NOT DONE: see TODO\(1\)
s/3.0f \* trace/0.75f * trace/g
