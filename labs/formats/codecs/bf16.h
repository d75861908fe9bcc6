/**
 * @file bf16.h
 * bfloat16: the upper half of an FP32, 1 sign, 8 exponent, 7 mantissa bits.
 */
#ifndef FORMAT_H
#define FORMAT_H

#include "digits.h"

#define FORMAT_ABOUT   "bfloat16: 1 sign, 8 exponent, 7 mantissa bits"
#define FORMAT_EPSILON 0x1p-8

typedef uint16_t Code;

HOST_DEVICE Code encode(Real value, uint32_t random_bits)
{
    (void)random_bits;
    const float number = (float)value;
    const LongCode whole = {bits_of(number) & 0x7fffffff, 16};
    const uint32_t sign = bits_of(number) >> 16 & 0x8000;
    return (Code)(number != number ? 0x7fff : sign | round_to_even(whole));
}

HOST_DEVICE Real decode(Code code)
{
    return float_of((uint32_t)code << 16);
}

#endif
