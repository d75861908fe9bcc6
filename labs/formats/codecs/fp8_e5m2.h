/**
 * @file fp8_e5m2.h
 * FP8 E5M2 (Micikevicius et al. 2022): 1 sign, 5 exponent, 2 mantissa bits, infinity and NaN as in IEEE 754;
 * scaled down by 2^14, so that its range, 57344, becomes 3.5.
 */
#ifndef FORMAT_H
#define FORMAT_H

#include "digits.h"

#include <math.h>

#define FORMAT_ABOUT   "FP8 E5M2: 1 sign, 5 exponent, 2 mantissa bits, scaled down by 2^14"
#define FORMAT_EPSILON 0x1p-3

typedef uint8_t Code;

HOST_DEVICE Code encode(Real value, uint32_t random_bits)
{
    (void)random_bits;
    const float number = (float)value;
    const uint32_t sign = bits_of(number) >> 24 & 0x80;
    const uint32_t code = round_to_even(long_code(number, 2, -28));
    return (Code)(number != number ? 0x7f : sign | (code < 0x7c ? code : 0x7c));
}

HOST_DEVICE Real decode(Code code)
{
    const uint32_t magnitude = code & 0x7f;
    const float value = magnitude < 0x7c    ? value_of_code(magnitude, 2, -28)
                        : magnitude == 0x7c ? INFINITY
                                            : NAN;
    return with_sign(value, code & 0x80);
}

#endif
