/**
 * @file fp16c.h
 * FP16C (Lehmann et al. 2022): 1 sign, 4 exponent, 11 mantissa bits, a range of +-2, and neither infinity nor
 * NaN: all codes are numbers, and what is too large becomes the largest. Half way goes up, as theirs does.
 */
#ifndef FORMAT_H
#define FORMAT_H

#include "digits.h"

#define FORMAT_ABOUT   "FP16C: 1 sign, 4 exponent, 11 mantissa bits, all of them numbers"
#define FORMAT_EPSILON 0x1p-12

typedef uint16_t Code;

HOST_DEVICE Code encode(Real value, uint32_t random_bits)
{
    (void)random_bits;
    const uint32_t sign = bits_of((float)value) >> 16 & 0x8000;
    const uint32_t code = round_half_up(long_code((float)value, 11, -14));
    return (Code)(sign | (code < 0x7fff ? code : 0x7fff));
}

HOST_DEVICE Real decode(Code code)
{
    return with_sign(value_of_code(code & 0x7fff, 11, -14), code & 0x8000);
}

#endif
