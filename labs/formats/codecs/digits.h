/**
 * @file digits.h
 * What the codecs share: the bits of a float, and how digits that do not fit are rounded off. Host and
 * device.
 */
#ifndef DIGITS_H
#define DIGITS_H

#include "lattice/d2q9.h"

#include <string.h>

/** The 32 bits of a float. */
HOST_DEVICE uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/** The float of these 32 bits. */
HOST_DEVICE float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/** The number of the highest bit that is set; -1 if none is. */
HOST_DEVICE int highest_bit(uint32_t bits)
{
#ifdef __CUDA_ARCH__
    return 31 - __clz((int)bits);
#else
    return bits == 0 ? -1 : 31 - __builtin_clz(bits);
#endif
}

/** A code with more digits than the format has: the lowest `drop` bits are to be rounded off. */
typedef struct {
    uint32_t digits;
    int drop;
} LongCode;

/**
 * The code of a magnitude in a format with so many bits of mantissa whose smallest normal number is 2^least.
 * Below that the digits have a fixed place, as in all floats, and more of them are dropped. Infinity and NaN
 * become codes larger than those of all floats.
 */
HOST_DEVICE LongCode long_code(float value, int mantissa, int least)
{
    const uint32_t magnitude = bits_of(value) & 0x7fffffff;
    const int below = least - ((int)(magnitude >> 23) - 127);
    const LongCode normal = {magnitude - ((uint32_t)(least + 126) << 23), 23 - mantissa};
    const LongCode subnormal = {(magnitude & 0x7fffff) | 0x800000, 23 - mantissa + below};
    return below > 0 ? subnormal : normal;
}

/** Rounds to the nearest code; half way between two, to the one whose last bit is 0. */
HOST_DEVICE uint32_t round_to_even(LongCode code)
{
    if (code.drop > 31)
        return 0;
    const uint32_t half = (uint32_t)1 << (code.drop - 1), odd = code.digits >> code.drop & 1;
    return (code.digits + half - 1 + odd) >> code.drop;
}

/** Rounds to the nearest code; half way between two, to the larger one. */
HOST_DEVICE uint32_t round_half_up(LongCode code)
{
    if (code.drop > 31)
        return 0;
    return (code.digits + ((uint32_t)1 << (code.drop - 1))) >> code.drop;
}

/** Rounds up with the probability that makes the mean right; `random_bits` holds 32 random bits. */
HOST_DEVICE uint32_t round_stochastically(LongCode code, uint32_t random_bits)
{
    if (code.drop > 31)
        return 0;
    return (code.digits + (random_bits >> (32 - code.drop))) >> code.drop;
}

/** What long_code turns into a code: its value without a sign, if it is a number. */
HOST_DEVICE float value_of_code(uint32_t magnitude, int mantissa, int least)
{
    return float_of(magnitude << (23 - mantissa)) * float_of((uint32_t)(least + 253) << 23);
}

/** The value with the sign that the bit `sign` tells. */
HOST_DEVICE float with_sign(float magnitude, uint32_t sign)
{
    return sign ? -magnitude : magnitude;
}

#endif
