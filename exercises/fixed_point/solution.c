// A momentum in 16 bits of fixed point, rounded stochastically.
#include <stdint.h>
#include <string.h>

enum { BEYOND = 1 << 16 }; // no code: the momentum is out of range, or NaN

// The momentum of a code. The range is a power of two.
static float unpack(uint32_t code, float range)
{
    const uint32_t bits = 0x47800000 | code << 7;
    float sum;
    memcpy(&sum, &bits, sizeof sum);
    return (sum - 98304.0f) * (range / 32768.0f);
}

// One of the two codes around a momentum, chosen by 32 random bits, so that the mean is the momentum.
static uint32_t pack(float momentum, float range, uint32_t word)
{
    const float sum = momentum * (32768.0f / range) + 98304.0f;
    uint32_t bits;
    memcpy(&bits, &sum, sizeof bits);
    bits = (bits + (word >> 25)) ^ 0x47800000;
    return bits >> 23 ? BEYOND : bits >> 7;
}
