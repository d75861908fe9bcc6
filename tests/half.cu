// Half precision, which 16-bit storage rests on: on a GPU the hardware's, without one the emulator's.
#include "device_memory.h"
#include "host/allocate.h"

#include "check.h"

#include <stdint.h>
#include <stdlib.h>

enum { HALVES = 1 << 16, LARGEST = 0x7bff, INFINITE = 0x7c00, NOT_A_NUMBER = 0x7fff };

/** The codes that a float becomes: to nearest, down, up, towards zero. */
typedef struct {
    uint16_t rn, rd, ru, rz;
} Codes;

static __global__ void widen(const __half *from, float *to, int count)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < count)
        to[n] = __half2float(from[n]);
}

static __global__ void round_floats(const float *from, Codes *to, int count)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count)
        return;
    to[n].rn = __half_as_ushort(__float2half_rn(from[n]));
    to[n].rd = __half_as_ushort(__float2half_rd(from[n]));
    to[n].ru = __half_as_ushort(__float2half_ru(from[n]));
    to[n].rz = __half_as_ushort(__float2half_rz(from[n]));
}

/** What IEEE 754 says a half stands for. */
static double meaning(int code)
{
    const int exponent = code >> 10 & 31, mantissa = code & 1023;
    const double sign = code & 0x8000 ? -1.0 : 1.0;
    if (exponent == 31)
        return mantissa ? NAN : sign * INFINITY;
    return sign * (exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24));
}

/** The next half above `code`, 65536 above the largest: what decides between the largest and infinity. */
static double next(int code)
{
    return code == LARGEST ? 65536.0 : meaning(code + 1);
}

/** The largest half, without sign, that is not above a finite magnitude. */
static int code_below(double magnitude)
{
    int low = 0, high = LARGEST + 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (meaning(middle) <= magnitude)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/** What IEEE 754 says of rounding; of NaN, CUDA has but one. */
static Codes codes_of(float value)
{
    if (isnan(value))
        return (Codes){NOT_A_NUMBER, NOT_A_NUMBER, NOT_A_NUMBER, NOT_A_NUMBER};
    const int sign = signbit(value) ? 0x8000 : 0;
    const double magnitude = fabs((double)value);
    int below = INFINITE, above = INFINITE, nearest = INFINITE;
    if (!isinf(value)) {
        below = code_below(magnitude);
        above = meaning(below) == magnitude ? below : below + 1;
        const double middle = 0.5 * (meaning(below) + next(below));
        const int even = below % 2 == 0 ? below : below + 1;
        nearest = magnitude < middle ? below : magnitude > middle ? above : even;
    }
    const int down = sign ? above : below, up = sign ? below : above;
    return (Codes){(uint16_t)(sign | nearest), (uint16_t)(sign | down), (uint16_t)(sign | up),
                   (uint16_t)(sign | below)};
}

/** Rounds floats on the device; the codes are the caller's to free. */
static Codes *rounded(const float *values, int count)
{
    const dim3 grid = {(unsigned)(count + 255) / 256, 1, 1}, block = {256, 1, 1};
    Codes *codes = (Codes *)allocate(count * sizeof *codes);
    float *from = (float *)to_device(values, count * sizeof *values);
    Codes *to = (Codes *)to_device(codes, count * sizeof *codes);
    LAUNCH(round_floats, grid, block, from, to, count);
    from_device(codes, to, count * sizeof *codes);
    CHECK(cudaFree(from));
    return codes;
}

/** Expects the device to round these floats as the definition says. */
static void expect_rounding(const float *values, int count)
{
    Codes *codes = rounded(values, count);
    int wrong = 0;
    for (int n = 0; n < count; n++) {
        const Codes expected = codes_of(values[n]), found = codes[n];
        if (memcmp(&found, &expected, sizeof found) != 0 && wrong++ < 10)
            printf("%.9g: rn %04x, rd %04x, ru %04x, rz %04x instead of %04x, %04x, %04x, %04x\n", values[n],
                   found.rn, found.rd, found.ru, found.rz, expected.rn, expected.rd, expected.ru,
                   expected.rz);
    }
    EXPECT(wrong == 0);
    free(codes);
}

TEST(every_half_means_what_ieee_754_says)
{
    static uint16_t halves[HALVES];
    static float values[HALVES];
    for (int n = 0; n < HALVES; n++)
        halves[n] = (uint16_t)n;
    const dim3 grid = {HALVES / 256, 1, 1}, block = {256, 1, 1};
    __half *from = (__half *)to_device(halves, sizeof halves);
    float *to = (float *)to_device(values, sizeof values);
    LAUNCH(widen, grid, block, from, to, HALVES);
    from_device(values, to, sizeof values);
    CHECK(cudaFree(from));
    for (int n = 0; n < HALVES; n++)
        EXPECT(isnan(meaning(n)) ? isnan(values[n])
                                 : values[n] == meaning(n) && !signbit(values[n]) == !(n & 0x8000));
}

TEST(rounding_of_halves_and_of_what_lies_between_them)
{
    enum { PLACES = 6 };
    static float values[HALVES][PLACES];
    for (int n = 0; n < HALVES; n++) {
        const int magnitude = n & 0x7fff;
        const float sign = n & 0x8000 ? -1.0f : 1.0f, half = (float)meaning(n);
        const float middle =
            magnitude <= LARGEST ? sign * (float)(0.5 * (meaning(magnitude) + next(magnitude))) : half;
        const float all[PLACES] = {
            half,   nextafterf(half, -INFINITY),   nextafterf(half, INFINITY),
            middle, nextafterf(middle, -INFINITY), nextafterf(middle, INFINITY),
        };
        memcpy(values[n], all, sizeof all);
    }
    expect_rounding(values[0], HALVES * PLACES);
}

TEST(rounding_of_floats_of_all_kinds)
{
    enum { STRIDE = 4099, COUNT = (int)((1ll << 32) / STRIDE) };
    float *values = (float *)allocate(COUNT * sizeof *values);
    for (uint32_t n = 0; n < COUNT; n++) {
        const uint32_t bits = n * STRIDE;
        memcpy(&values[n], &bits, sizeof bits);
    }
    expect_rounding(values, COUNT);
    free(values);
}

TEST(the_ends_of_the_range)
{
    const float values[] = {65504.0f, 65519.99f, 65520.0f, -70000.0f, -INFINITY, NAN,
                            2.9e-8f,  3e-8f,     -1e-30f,  -0.0f,     1e-45f,    -6e-8f};
    enum { COUNT = sizeof values / sizeof *values };
    const Codes expected[COUNT] = {
        {0x7bff, 0x7bff, 0x7bff, 0x7bff},
        {0x7bff, 0x7bff, 0x7c00, 0x7bff},
        {0x7c00, 0x7bff, 0x7c00, 0x7bff},
        {0xfc00, 0xfc00, 0xfbff, 0xfbff},
        {0xfc00, 0xfc00, 0xfc00, 0xfc00},
        {0x7fff, 0x7fff, 0x7fff, 0x7fff},
        {0x0000, 0x0000, 0x0001, 0x0000},
        {0x0001, 0x0000, 0x0001, 0x0000},
        {0x8000, 0x8001, 0x8000, 0x8000},
        {0x8000, 0x8000, 0x8000, 0x8000},
        {0x0000, 0x0000, 0x0001, 0x0000},
        {0x8001, 0x8002, 0x8001, 0x8001},
    };
    Codes *codes = rounded(values, COUNT);
    for (int n = 0; n < COUNT; n++)
        EXPECT(memcmp(&codes[n], &expected[n], sizeof codes[n]) == 0);
    free(codes);
}

enum { PAIRS = 256 };

/** What can be done to a pair; each result in an array of its own. */
typedef struct {
    __half2 packed[PAIRS], swapped[PAIRS], from_codes[PAIRS];
    float low[PAIRS], high[PAIRS];
    float2 both[PAIRS];
} Pairs;

static __global__ void handle_pairs(const float *values, Pairs *pairs)
{
    const int n = threadIdx.x;
    const __half2 pair = __floats2half2_rn(values[n], values[n + 1]);
    pairs->packed[n] = pair;
    pairs->swapped[n] = __halves2half2(__high2half(pair), __low2half(pair));
    pairs->from_codes[n] = __halves2half2(__ushort_as_half((uint16_t)n), __ushort_as_half((uint16_t)(n + 1)));
    pairs->low[n] = __low2float(pair);
    pairs->high[n] = __high2float(pair);
    pairs->both[n] = __half22float2(pair);
}

/** The word that a pair is: its low half in the low 16 bits. */
static uint32_t word_of(__half2 pair)
{
    uint32_t word;
    memcpy(&word, &pair, sizeof word);
    return word;
}

TEST(pairs_of_halves)
{
    static Pairs pairs;
    float values[PAIRS + 1];
    for (int n = 0; n <= PAIRS; n++)
        values[n] = (float)ldexp(n % 2 == 0 ? n : -1.0 / 3.0, n % 29 - 14);
    float *from = (float *)to_device(values, sizeof values);
    Pairs *to = (Pairs *)to_device(&pairs, sizeof pairs);
    const dim3 grid = {1, 1, 1}, block = {PAIRS, 1, 1};
    LAUNCH(handle_pairs, grid, block, from, to);
    from_device(&pairs, to, sizeof pairs);
    CHECK(cudaFree(from));
    for (uint32_t n = 0; n < PAIRS; n++) {
        const uint32_t low = codes_of(values[n]).rn, high = codes_of(values[n + 1]).rn;
        EXPECT(word_of(pairs.packed[n]) == (high << 16 | low));
        EXPECT(word_of(pairs.swapped[n]) == (low << 16 | high));
        EXPECT(word_of(pairs.from_codes[n]) == ((n + 1) << 16 | n));
        EXPECT(pairs.low[n] == meaning((int)low) && pairs.both[n].x == pairs.low[n]);
        EXPECT(pairs.high[n] == meaning((int)high) && pairs.both[n].y == pairs.high[n]);
    }
}

TEST(a_pair_is_an_aligned_word)
{
    typedef struct {
        char first;
        __half2 pair;
    } After;
    EXPECT(sizeof(__half2) == 4 && offsetof(After, pair) == 4);
    EXPECT(sizeof(float2) == 8 && sizeof(__half) == 2);
}
