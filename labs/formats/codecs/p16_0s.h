/**
 * @file p16_0s.h
 * P16_0S (Lehmann et al. 2022): a posit of 16 bits with no exponent bits, scaled down by 2^7.
 */
#ifndef FORMAT_H
#define FORMAT_H

#include "posit.h"

#define FORMAT_ABOUT   "P16_0S: posit, no exponent bits, scaled down by 2^7"
#define FORMAT_EPSILON 0x1p-11 // between 2^-11 and 2^-3; smaller within, larger outside

typedef uint16_t Code;

HOST_DEVICE Code encode(Real value, uint32_t random_bits)
{
    (void)random_bits;
    const uint32_t sign = bits_of((float)value) >> 16 & 0x8000;
    return (Code)(sign | encode_posit((float)value, 0, 7));
}

HOST_DEVICE Real decode(Code code)
{
    return with_sign(decode_posit(code & 0x7fff, 0, 7), code & 0x8000);
}

#endif
