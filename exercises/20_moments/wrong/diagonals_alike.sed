# expects: first wrong half sum: .*5 and 7.*NOT DONE: see TODO\(1\)
s/m\[pair(5)\] = diagonal + /m[pair(5)] = diagonal - /
