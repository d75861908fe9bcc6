# expects: encode\(2\.5\).*m is from 0 to 32767.*NOT DONE: see TODO\(2\)
s/(steps < 32767.0f ? (uint32_t)steps : 0x7fff)/(uint32_t)steps \& 0x7fff/
