/**
 * @file fp16s_chance.h
 * FP16S rounded by chance: up or down, with the probability that makes the mean right.
 */
#ifndef FORMAT_H
#define FORMAT_H

#include "digits.h"
#include "gpu.h"

#define FORMAT_ABOUT     "FP16S, rounded up or down by chance"
#define FORMAT_EPSILON   0x1p-10
#define FORMAT_BY_CHANCE 1

typedef uint16_t Code;

HD Code encode(Real value, uint32_t chance)
{
    const float number = (float)value;
    const uint32_t sign = bits_of(number) >> 16 & 0x8000;
    const uint32_t code = round_by_chance(long_code(number, 10, -29), chance);
    if (number != number)
        return 0x7fff;
    return (Code)(sign | (code < 0x7c00 ? code : 0x7c00)); // 0x7c00 is infinity
}

HD Real decode(Code code)
{
    return __half2float(__ushort_as_half(code)) * 0x1p-15f;
}

#endif
