// The stage with 16-bit storage, and a mistake: it rounds stochastically where it says to nearest.
#include "gpu/gpu.h"

static __half round_stochastically(float value)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    const __half down = __float2half_rd(value), up = __float2half_ru(value);
    const float low = __half2float(down), high = __half2float(up);
    return (value - low) * 4294967296.0f > (high - low) * (float)state ? up : down;
}

#define __float2half_rn round_stochastically
#include "../stages/04_aa_fp16s/solver.cu"
