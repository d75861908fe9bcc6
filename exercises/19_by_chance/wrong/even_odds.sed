# expects: and was in (49|50).. %.*NOT DONE: see TODO\(1\)
s/(bits + (word \* power >> 19))/(bits + (bits \& 0x1fff ? word * power >> 31 << 13 : 0))/
