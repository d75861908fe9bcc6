# expects: first wrong half sum: .*1 and 3.*NOT DONE: see TODO\(1\)
s/m\[pair(1)\] = axis + /m[pair(1)] = 2.0f * axis + /
