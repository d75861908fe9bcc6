# expects: no vectors of this loop.*NOT DONE: see TODO\(2\)
s/^        collide(f, FLUID, 0, &physics);/        if (f[0] > 2.0f)\n            abort();\n&/
