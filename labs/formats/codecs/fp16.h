/**
 * @file fp16.h
 * FP16, IEEE 754 binary16: 1 sign, 5 exponent, 10 mantissa bits. A GPU has instructions for it.
 */
#ifndef FORMAT_H
#define FORMAT_H

#include "gpu/gpu.h"
#include "lattice/d2q9.h"

#define FORMAT_ABOUT   "FP16: 1 sign, 5 exponent, 10 mantissa bits"
#define FORMAT_EPSILON 0x1p-11

typedef uint16_t Code;

HOST_DEVICE Code encode(Real value, uint32_t random_bits)
{
    (void)random_bits;
    return __half_as_ushort(__float2half_rn((float)value));
}

HOST_DEVICE Real decode(Code code)
{
    return __half2float(__ushort_as_half(code));
}

#endif
