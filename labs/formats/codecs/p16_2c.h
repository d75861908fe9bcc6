/**
 * @file p16_2c.h
 * P16_2C (Lehmann et al. 2022): the lower flank of a posit of 16 bits with two exponent bits. The regime
 * needs no bit to say of what it is a run: n zeros, n >= 0, and a one. The mantissa has a bit more. The
 * largest exponent is 0, so that the value is (1 + m) 2^(e - 3 - 4 n), below 2.
 */
#ifndef FORMAT_H
#define FORMAT_H

#include "posit.h"

#define FORMAT_ABOUT   "P16_2C: lower flank of a posit, two exponent bits"
#define FORMAT_EPSILON 0x1p-11 // between 2^-11 and 2; smaller above 2^-7, larger below 2^-11

typedef uint16_t Code;

HOST_DEVICE Code encode(Real value, uint32_t random_bits)
{
    (void)random_bits;
    const float number = (float)value;
    const uint32_t sign = bits_of(number) >> 16 & 0x8000;
    const int exponent = (int)(bits_of(number) >> 23 & 0xff) - 127 + 3, zeros = -(exponent >> 2);
    if (zeros < 0)
        return (Code)(sign | 0x7fff);
    if (zeros > 15)
        return (Code)sign;
    const LongCode whole = {1u << 17 | posit_digits(number, exponent, 2), zeros + 3};
    const uint32_t code = round_to_even(whole);
    return (Code)(sign | (code < 0x7fff ? code : 0x7fff));
}

HOST_DEVICE Real decode(Code code)
{
    const uint32_t magnitude = code & 0x7fff, sign = code & 0x8000;
    if (magnitude == 0)
        return with_sign(0.0f, sign);
    const int end = highest_bit(magnitude); // the one that ends the regime
    const uint32_t digits = (magnitude & ((1u << end) - 1)) << (23 - end);
    return with_sign(posit_value(digits, 4 * (end - 14) - 3, 2), sign);
}

#endif
