/**
 * @file fp32.h
 * FP32, IEEE 754 binary32: 1 sign, 8 exponent, 23 mantissa bits.
 */
#ifndef FORMAT_H
#define FORMAT_H

#include "lattice/d2q9.h"

#define FORMAT_ABOUT   "FP32: 1 sign, 8 exponent, 23 mantissa bits"
#define FORMAT_EPSILON 0x1p-24

typedef float Code;

HOST_DEVICE Code encode(Real value, uint32_t random_bits)
{
    (void)random_bits;
    return (Code)value;
}

HOST_DEVICE Real decode(Code code)
{
    return code;
}

#endif
