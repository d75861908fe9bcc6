# expects: the trace.*NOT DONE: see TODO\(2\)
s|const float trace = jx \* ux + jy \* uy;|float trace = f[1] + f[3] + f[2] + f[4] + 2 * (f[5] + f[6] + f[7] + f[8]) - 2.0f / 3 * drho; trace += physics->omega * (jx * ux + jy * uy - trace);|
