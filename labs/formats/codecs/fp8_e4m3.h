/**
 * @file fp8_e4m3.h
 * FP8 E4M3 (Micikevicius et al. 2022): 1 sign, 4 exponent, 3 mantissa bits, no infinity, one NaN; scaled down
 * by 2^7, so that its range, 448, becomes 3.5. What is too large becomes NaN.
 */
#ifndef FORMAT_H
#define FORMAT_H

#include "digits.h"

#include <math.h>

#define FORMAT_ABOUT   "FP8 E4M3: 1 sign, 4 exponent, 3 mantissa bits, scaled down by 2^7"
#define FORMAT_EPSILON 0x1p-4

typedef uint8_t Code;

HOST_DEVICE Code encode(Real value, uint32_t random_bits)
{
    (void)random_bits;
    const uint32_t sign = bits_of((float)value) >> 24 & 0x80;
    const uint32_t code = round_to_even(long_code((float)value, 3, -13));
    return (Code)(sign | (code < 0x7f ? code : 0x7f));
}

HOST_DEVICE Real decode(Code code)
{
    const uint32_t magnitude = code & 0x7f;
    return with_sign(magnitude == 0x7f ? NAN : value_of_code(magnitude, 3, -13), code & 0x80);
}

#endif
