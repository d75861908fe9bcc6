// LOG16: 16 bits that hold the logarithm of a number. The same relative error everywhere.
#ifndef FORMAT_H
#define FORMAT_H

#include "lattice/d2q9.h"

#include <math.h>

#define FORMAT_ABOUT "LOG16: sign and logarithm, 1024 steps for each power of two"

// TODO(3): the largest relative error of rounding; this is FP16C's
#define FORMAT_EPSILON 0x1p-12

typedef uint16_t Code;

// The sign, and the number whose logarithm is nearest; there are neither infinity nor NaN.
HOST_DEVICE Code encode(Real value, uint32_t random_bits)
{
    (void)random_bits;
    // TODO(2): the code; too large a value becomes the largest number, too small a value 0
    return (Code)(0.0f * value);
}

// With m for the lower 15 bits 0 for m = 0, else 2^(m / 1024 - 31).
HOST_DEVICE Real decode(Code code)
{
    // TODO(1): the number
    return 0.0f * code;
}

#endif
