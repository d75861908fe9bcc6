# expects: first wrong half sum: .*5 and 7.*NOT DONE: see TODO\(1\)
s/3.0f \* trace - 9.0f \* shear/3.0f * trace + 9.0f * shear/;s/3.0f \* trace + 9.0f \* shear);$/&/;s/m\[pair(5)\] = weight(5) \* (drho + 3.0f \* trace + 9.0f/m[pair(5)] = weight(5) * (drho + 3.0f * trace - 9.0f/
