// A momentum in 16 bits of fixed point, rounded stochastically.
#include <stdint.h>
#include <string.h>

enum { BEYOND = 1 << 16 }; // no code: the momentum is out of range, or NaN

// The momentum of a code. The range is a power of two.
static float unpack(uint32_t code, float range)
{
    // TODO(1): code 0 is -range, and each code is range / 32768 more than the one before
    return 0.0f * code * range;
}

// One of the two codes around a momentum, chosen by 32 random bits, so that the mean is the momentum.
static uint32_t pack(float momentum, float range, uint32_t word)
{
    // TODO(2): round up or down
    // TODO(3): return BEYOND for a momentum that has no code
    (void)momentum, (void)range, (void)word;
    return 0;
}
