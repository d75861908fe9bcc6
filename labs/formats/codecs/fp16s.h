/**
 * @file fp16s.h
 * FP16S (Lehmann et al. 2022): FP16 that holds 2^15 times the number, so that its range is +-2.
 */
#ifndef FORMAT_H
#define FORMAT_H

#include "gpu/gpu.h"
#include "lattice/d2q9.h"

#define FORMAT_ABOUT   "FP16S: FP16 that holds 2^15 times the number"
#define FORMAT_EPSILON 0x1p-11

typedef uint16_t Code;

HOST_DEVICE Code encode(Real value, uint32_t random_bits)
{
    (void)random_bits;
    return __half_as_ushort(__float2half_rn((float)value * 0x1p15f));
}

HOST_DEVICE Real decode(Code code)
{
    return __half2float(__ushort_as_half(code)) * 0x1p-15f;
}

#endif
