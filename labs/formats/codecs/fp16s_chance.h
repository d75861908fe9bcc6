/**
 * @file fp16s_chance.h
 * FP16S rounded stochastically: up or down, with the probability that makes the mean right.
 */
#ifndef FORMAT_H
#define FORMAT_H

#include "digits.h"
#include "gpu/gpu.h"

#define FORMAT_ABOUT      "FP16S, rounded stochastically"
#define FORMAT_EPSILON    0x1p-10
#define FORMAT_STOCHASTIC 1

typedef uint16_t Code;

HOST_DEVICE Code encode(Real value, uint32_t random_bits)
{
    const float number = (float)value;
    const uint32_t sign = bits_of(number) >> 16 & 0x8000;
    const uint32_t code = round_stochastically(long_code(number, 10, -29), random_bits);
    if (number != number)
        return 0x7fff;
    return (Code)(sign | (code < 0x7c00 ? code : 0x7c00)); // 0x7c00 is infinity
}

HOST_DEVICE Real decode(Code code)
{
    return __half2float(__ushort_as_half(code)) * 0x1p-15f;
}

#endif
