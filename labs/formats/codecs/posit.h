/**
 * @file posit.h
 * Posits of 16 bits (Gustafson & Yonemoto 2017) as Lehmann et al. (2022) use them: with a sign bit instead of
 * two's complement, so with two zeros, and without infinity. Behind the sign stands the regime, a run of
 * equal bits that the opposite one ends: n zeros mean r = -n, n ones r = n - 1. Then `es` bits of exponent e
 * and what is left of mantissa m. The value is (1 + m) 2^(r 2^es + e), scaled by a power of two.
 */
#ifndef POSIT_H
#define POSIT_H

#include "digits.h"

/** The digits of a float behind its leading 1 as a posit has them: es bits of exponent, 15 of mantissa. The
 * last one is set also if any of those cut off is. */
HOST_DEVICE uint32_t posit_digits(float value, int exponent, int es)
{
    const uint32_t mantissa = bits_of(value) & 0x7fffff, low = (uint32_t)exponent & ((1u << es) - 1);
    return low << 15 | mantissa >> 8 | ((mantissa & 0xff) != 0);
}

/**
 * The code without sign of a magnitude times 2^scale. The string of bits is rounded, half way to even: where
 * it ends within the regime or the exponent, "half way" is not the mean of the two values.
 */
HOST_DEVICE uint32_t encode_posit(float value, int es, int scale)
{
    const int exponent = (int)(bits_of(value) >> 23 & 0xff) - 127 + scale, regime = exponent >> es;
    if (regime >= 14)
        return 0x7fff;
    if (regime < -15)
        return 0;
    const int length = regime < 0 ? 1 - regime : regime + 2; // of the regime, with the bit that ends it
    const uint32_t run = regime < 0 ? 1 : ((uint32_t)1 << length) - 2;
    const LongCode code = {run << (es + 15) | posit_digits(value, exponent, es), length + es};
    return round_to_even(code);
}

/** (1 + m) 2^(exponent + e), where `digits` holds, in 23 bits, es bits of e and then m. */
HOST_DEVICE float posit_value(uint32_t digits, int exponent, int es)
{
    const int e = (int)(digits >> (23 - es));
    return float_of((uint32_t)(exponent + e + 127) << 23 | (digits << es & 0x7fffff));
}

/** The value of a code without sign, over 2^scale. */
HOST_DEVICE float decode_posit(uint32_t code, int es, int scale)
{
    if (code == 0)
        return 0.0f;
    const int ones = code >> 14;
    const int end = highest_bit(ones ? ~code & 0x7fff : code); // the bit that ends the regime; -1: none does
    const int regime = ones ? 13 - end : end - 14;
    const uint32_t digits = end > 0 ? (code & ((1u << end) - 1)) << (23 - end) : 0;
    return posit_value(digits, regime * (1 << es) - scale, es);
}

#endif
