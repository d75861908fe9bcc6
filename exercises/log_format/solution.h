// LOG16: 16 bits that hold the logarithm of a number. The same relative error everywhere.
#ifndef FORMAT_H
#define FORMAT_H

#include "lattice/d2q9.h"

#include <math.h>

#define FORMAT_ABOUT "LOG16: sign and logarithm, 1024 steps for each power of two"

#define FORMAT_EPSILON 3.3851e-4 // 2^(1/2048) - 1: half a step

typedef uint16_t Code;

// The sign, and the number whose logarithm is nearest; there are neither infinity nor NaN.
HOST_DEVICE Code encode(Real value, uint32_t random_bits)
{
    (void)random_bits;
    const float number = (float)value;
    const uint32_t sign = number < 0.0f ? 0x8000 : 0;
    const float steps = rintf((log2f(fabsf(number)) + 31.0f) * 1024.0f);
    const uint32_t magnitude = steps >= 1.0f ? (steps < 32767.0f ? (uint32_t)steps : 0x7fff) : 0;
    return (Code)(sign | magnitude);
}

// With m for the lower 15 bits 0 for m = 0, else 2^(m / 1024 - 31).
HOST_DEVICE Real decode(Code code)
{
    const int m = code & 0x7fff;
    const float magnitude = m == 0 ? 0.0f : exp2f((float)m / 1024.0f - 31.0f);
    return code & 0x8000 ? -magnitude : magnitude;
}

#endif
