// The conversions that 16-bit storage rests on: on a GPU the hardware's, without one the stand-in's.
#include "gpu.h"

#include "check.h"

#include <stdint.h>
#include <stdlib.h>

enum { HALVES = 1 << 16 };

static __global__ void round_trip(const float *from, float *to, int count)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < count)
        to[n] = __half2float(__float2half_rn(from[n]));
}

static __global__ void widen(const __half *from, float *to, int count)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < count)
        to[n] = __half2float(from[n]);
}

static void *device_copy(const void *from, size_t bytes)
{
    void *memory = NULL;
    CHECK(cudaMalloc(&memory, bytes));
    CHECK(cudaMemcpy(memory, from, bytes, cudaMemcpyHostToDevice));
    return memory;
}

/** Rounds values[count] to half precision and back, on the device. */
static void round_all(float *values, int count)
{
    const dim3 grid = {(unsigned)(count + 255) / 256, 1, 1}, block = {256, 1, 1};
    float *from = (float *)device_copy(values, count * sizeof *values);
    LAUNCH(round_trip, grid, block, from, from, count);
    CHECK(cudaMemcpy(values, from, count * sizeof *values, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(from));
}

/** What IEEE 754 says a half stands for. */
static double meaning(int bits)
{
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    const double sign = bits & 0x8000 ? -1.0 : 1.0;
    if (exponent == 31)
        return mantissa ? NAN : sign * INFINITY;
    return sign * (exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24));
}

TEST(every_half_means_what_ieee_754_says)
{
    static uint16_t halves[HALVES];
    static float values[HALVES];
    for (int n = 0; n < HALVES; n++)
        halves[n] = (uint16_t)n;
    const dim3 grid = {HALVES / 256, 1, 1}, block = {256, 1, 1};
    __half *from = (__half *)device_copy(halves, sizeof halves);
    float *to = (float *)device_copy(values, sizeof values);
    LAUNCH(widen, grid, block, from, to, HALVES);
    CHECK(cudaMemcpy(values, to, sizeof values, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(from));
    CHECK(cudaFree(to));
    for (int n = 0; n < HALVES; n++)
        EXPECT(isnan(meaning(n)) ? isnan(values[n]) : values[n] == meaning(n));
}

TEST(every_half_survives_a_round_trip)
{
    static float values[HALVES];
    for (int n = 0; n < HALVES; n++)
        values[n] = (float)meaning(n);
    round_all(values, HALVES);
    for (int n = 0; n < HALVES; n++)
        EXPECT(isnan(meaning(n)) ? isnan(values[n])
                                 : values[n] == meaning(n) && !signbit(values[n]) == !signbit(meaning(n)));
}

TEST(rounding_is_to_nearest_and_ties_go_to_even)
{
    enum { FINITE = 0x7bff };
    static float middle[FINITE], below[FINITE], above[FINITE];
    for (int n = 0; n < FINITE; n++) {
        middle[n] = (float)(0.5 * (meaning(n) + meaning(n + 1)));
        below[n] = nextafterf(middle[n], -INFINITY);
        above[n] = nextafterf(middle[n], INFINITY);
    }
    round_all(middle, FINITE);
    round_all(below, FINITE);
    round_all(above, FINITE);
    for (int n = 0; n < FINITE; n++) {
        EXPECT(middle[n] == meaning(n % 2 == 0 ? n : n + 1));
        EXPECT(below[n] == meaning(n));
        EXPECT(above[n] == meaning(n + 1));
    }
}

TEST(the_ends_of_the_range)
{
    float values[] = {65504.0f, 65519.99f, 65520.0f, -1e30f, NAN, 2.9e-8f, 3e-8f, -1e-30f};
    round_all(values, 8);
    EXPECT(values[0] == 65504.0f);
    EXPECT(values[1] == 65504.0f);
    EXPECT(values[2] == INFINITY);
    EXPECT(values[3] == -INFINITY);
    EXPECT(isnan(values[4]));
    EXPECT(values[5] == 0.0f);
    EXPECT(values[6] == ldexpf(1.0f, -24));
    EXPECT(values[7] == 0.0f && signbit(values[7]));
}
