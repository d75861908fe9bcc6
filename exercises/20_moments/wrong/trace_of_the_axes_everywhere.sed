# expects: first wrong half sum: .*5 and 7.*NOT DONE: see TODO\(1\)
s/weight(5) \* drho + twelfth/weight(5) * drho + 0.25f * twelfth/
