/**
 * @file fp64.h
 * FP64, IEEE 754 binary64: 1 sign, 11 exponent, 52 mantissa bits. It needs arithmetic in double.
 */
#ifndef FORMAT_H
#define FORMAT_H

#include "lattice/d2q9.h"

#define FORMAT_ABOUT   "FP64: 1 sign, 11 exponent, 52 mantissa bits"
#define FORMAT_EPSILON 0x1p-53

typedef double Code;

HOST_DEVICE Code encode(Real value, uint32_t random_bits)
{
    (void)random_bits;
    return value;
}

HOST_DEVICE Real decode(Code code)
{
    return (Real)code;
}

#endif
