// A codec against the definition of its format, over all codes and what lies between them. CODEC and NAME say
// which.
#include "device_memory.h"
#include "host/allocate.h"

#include CODEC

#include "definitions.h"

#include "check.h"

#include <stdlib.h>

enum { CODES = 1 << 8 * sizeof(Code), SIGN = CODES / 2, SHOWN = 10 };

static const Definition *format(void)
{
    return find_definition(NAME);
}

static int is_nan_code(uint32_t code)
{
    const Definition *d = format();
    return d->nan && (code & (SIGN - 1)) > d->largest + (uint32_t)d->infinity;
}

/** What a code means. */
static long double meaning(uint32_t code)
{
    const Definition *d = format();
    const uint32_t magnitude = code & (SIGN - 1);
    const long double value = is_nan_code(code)        ? NAN
                              : magnitude > d->largest ? INFINITY
                                                       : value_by_digits(d, magnitude, d->bits);
    return code & SIGN ? -value : value;
}

static __global__ void decode_all(const Code *from, float *to, int count)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < count)
        to[n] = (float)decode(from[n]);
}

static __global__ void encode_all(const float *from, uint32_t random_bits, Code *to, int count)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < count)
        to[n] = encode(from[n], random_bits);
}

/** Encodes on the device, which must agree with the host; the codes are the caller's to free. */
static Code *encoded(const float *values, uint32_t random_bits, int count)
{
    const dim3 grid = {(unsigned)(count + 255) / 256, 1, 1}, block = {256, 1, 1};
    Code *codes = (Code *)allocate(count * sizeof *codes);
    float *from = (float *)to_device(values, count * sizeof *values);
    Code *to = (Code *)to_device(codes, count * sizeof *codes);
    LAUNCH(encode_all, grid, block, from, random_bits, to, count);
    from_device(codes, to, count * sizeof *codes);
    CHECK(cudaFree(from));
    int apart = 0;
    for (int n = 0; n < count; n++)
        apart += codes[n] != encode(values[n], random_bits);
    EXPECT(apart == 0);
    return codes;
}

/** What a value is to become: with stochastic rounding, whose random bits are 0 here, the code below. */
static uint32_t expected_code(float value)
{
    const Definition *d = format();
    const uint32_t sign = signbit(value) ? SIGN : 0;
    const long double magnitude = fabsl((long double)value);
    if (d->halves == AT_RANDOM)
        return sign | code_below(d, magnitude);
    return sign | code_by_digits(d, magnitude);
}

/** Expects these values to become what the definition says. */
static void expect_codes(const float *values, int count)
{
    Code *codes = encoded(values, 0, count);
    int wrong = 0;
    for (int n = 0; n < count; n++) {
        const int right =
            isnan(values[n]) ? !format()->nan || is_nan_code(codes[n]) : codes[n] == expected_code(values[n]);
        if (!right && wrong++ < SHOWN)
            printf("%.9g: %04x instead of %04x\n", values[n], (unsigned)codes[n],
                   (unsigned)expected_code(values[n]));
    }
    EXPECT(wrong == 0);
    free(codes);
}

TEST(every_code_means_what_the_definition_says)
{
    static Code codes[CODES];
    static float values[CODES];
    for (int n = 0; n < CODES; n++)
        codes[n] = (Code)n;
    const dim3 grid = {CODES / 256, 1, 1}, block = {256, 1, 1};
    Code *from = (Code *)to_device(codes, sizeof codes);
    float *to = (float *)to_device(values, sizeof values);
    LAUNCH(decode_all, grid, block, from, to, CODES);
    from_device(values, to, sizeof values);
    CHECK(cudaFree(from));
    int wrong = 0;
    for (int n = 0; n < CODES; n++) {
        const long double expected = meaning((uint32_t)n);
        const int right = isnan(expected) ? isnan(values[n]) && isnan(decode((Code)n))
                                          : values[n] == expected && decode((Code)n) == expected &&
                                                !signbit(values[n]) == !(n & SIGN);
        if (!right && wrong++ < SHOWN)
            printf("code %04x: %.9g instead of %.9Lg\n", (unsigned)n, values[n], expected);
    }
    EXPECT(wrong == 0);
}

TEST(there_and_back_is_the_same_code)
{
    int wrong = 0;
    for (int n = 0; n < CODES; n++) {
        const Code again = encode(decode((Code)n), 0), by_any_bits = encode(decode((Code)n), 0xffffffff);
        wrong += is_nan_code((uint32_t)n) ? !is_nan_code(again) : again != n || by_any_bits != n;
    }
    EXPECT(wrong == 0);
}

TEST(codes_are_in_the_order_of_their_values)
{
    const uint32_t last = format()->largest + (uint32_t)format()->infinity;
    EXPECT(decode(0) == 0.0f && decode(SIGN) == 0.0f);
    int wrong = 0;
    for (uint32_t n = 0; n < last; n++) {
        wrong += !(decode((Code)n) < decode((Code)(n + 1)));
        wrong += !(decode((Code)(n + 1)) == -decode((Code)(SIGN | (n + 1))));
    }
    EXPECT(wrong == 0);
}

TEST(neighbours_and_what_lies_half_way)
{
    enum { PLACES = 6 };
    static float values[CODES][PLACES];
    for (int n = 0; n < CODES; n++) {
        const uint32_t magnitude = (uint32_t)n & (SIGN - 1);
        const float value = is_nan_code((uint32_t)n) ? NAN : (float)meaning((uint32_t)n);
        float middle = magnitude <= format()->largest ? (float)half_way(format(), magnitude) : value;
        middle = n & SIGN ? -middle : middle;
        const float all[PLACES] = {
            value,  nextafterf(value, -INFINITY),  nextafterf(value, INFINITY),
            middle, nextafterf(middle, -INFINITY), nextafterf(middle, INFINITY),
        };
        memcpy(values[n], all, sizeof all);
    }
    expect_codes(values[0], CODES * PLACES);
}

TEST(floats_of_all_kinds)
{
    enum { STRIDE = 4099, COUNT = (int)((1ll << 32) / STRIDE) };
    float *values = (float *)allocate(COUNT * sizeof *values);
    for (uint32_t n = 0; n < COUNT; n++) {
        const uint32_t bits = n * STRIDE;
        memcpy(&values[n], &bits, sizeof bits);
    }
    expect_codes(values, COUNT);
    free(values);
}

TEST(the_ends_of_the_range)
{
    const float largest = (float)meaning(format()->largest), least = (float)meaning(1);
    const float values[] = {0.0f,      -0.0f,    largest,   -largest, 2.0f * largest, -1e30f, least,
                            -least,    INFINITY, -INFINITY, NAN,      1e-45f,         1e30f,  -1e-45f,
                            0x1p-126f, FLT_MAX};
    expect_codes(values, sizeof values / sizeof *values);
    printf("%s: least %.7g, largest %.7g\n", NAME, least, largest);
}

TEST(a_posit_becomes_zero_at_a_fraction_of_its_least_number)
{
    if (format()->kind != POSIT && format()->kind != LOWER_FLANK)
        return;
    const float least = (float)meaning(1);
    const float edge = ldexpf(least, -(1 << format()->exponent_bits)); // half, a quarter, a sixteenth
    const float values[] = {edge, -edge, nextafterf(edge, 1.0f), nextafterf(-edge, -1.0f)};
    Code *codes = encoded(values, 0, sizeof values / sizeof *values);
    EXPECT(codes[0] == 0 && codes[1] == SIGN);
    EXPECT(codes[2] == 1 && codes[3] == (SIGN | 1));
    free(codes);
}

/** Expects the mean over all random bits to be the value, within what so many draws can tell. */
static void expect_mean(float value)
{
    enum { DRAWS = 4096 };
    double sum = 0.0;
    for (uint32_t n = 0; n < DRAWS; n++)
        sum += decode(encode(value, n << 20));
    const uint32_t below = code_below(format(), value);
    const double spacing = (double)(meaning(below + 1) - meaning(below));
    EXPECT_NEAR(sum / DRAWS, value, spacing / DRAWS);
}

TEST(random_bits_make_the_mean_right_or_do_nothing)
{
    for (int exponent = -40; exponent <= 0; exponent++) {
        const float value = ldexpf(1.2345678f, exponent);
        if (format()->halves == AT_RANDOM)
            expect_mean(value);
        else
            EXPECT(encode(value, 0) == encode(value, 0xffffffff));
    }
}
