# expects: first wrong half sum: .*1 and 3.*NOT DONE: see TODO\(1\)
s/= weight(1) \* (/= 2.0f * weight(1) * (/
