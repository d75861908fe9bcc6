/**
 * @file packing.cu
 * A stage that stores moments in 16 bits, rounded stochastically: what becomes of a number. The build defines
 * SOLVER, the stage's file.
 */
#include SOLVER

#include "check.h"

enum { DRAWS = 1 << 13 };

static const Range range = {0x1p18f, 0x1p-18f, -fixed_zero * 0x1p-18f, 0}; // momentum up to 1/8

/** The 16 bits of moment i of a cell that has no others. */
static uint32_t stored(float moment, int i, uint32_t word)
{
    float m[MOMENTS] = {0.0f};
    uint32_t bits[MOMENTS];
    m[i] = moment;
    pack(bits, m, word, &range);
    return bits[i];
}

TEST(the_mean_over_all_words_is_the_number)
{
    const float numbers[] = {0.0175f, -0.03f, 0.0499f, 1.2345678e-4f, -7e-6f, 3e-9f, 0.0f};
    for (int n = 0; n < 7; n++) {
        const float x = numbers[n];
        double sum[MOMENTS] = {0.0};
        for (uint32_t word = 0; word < DRAWS; word++)
            for (int i = 0; i < MOMENTS; i++)
                sum[i] += unpack(stored(x, i, word << 19), i, &range) - (double)x;
        // The multipliers are odd: each moment meets each draw, which are all that halves can tell apart. For
        // momentum there are more, and the sum with one is a float.
        for (int i = 0; i < MOMENTS; i++)
            EXPECT_NEAR(sum[i] / DRAWS, 0.0,
                        is_momentum(i) ? range.quantum / DRAWS + fabs(x) / (1 << 24) : 0.0);
    }
}

TEST(what_16_bits_can_hold_stays)
{
    const uint32_t words[] = {0x12345678, 0x87654321, 0, ~0u};
    int wrong = 0;
    for (uint32_t code = 0; code < 1 << 16; code++)
        for (int i = 0; i < MOMENTS; i++) {
            // The smallest and largest draws round the sum with a momentum, but not with one of zero.
            const int draws = is_momentum(i) ? code == 0x8000 ? 4 : 2 : (code & 0x7fff) < 0x7c00 ? 4 : 0;
            for (int k = 0; k < draws; k++)
                wrong += stored(unpack(code, i, &range), i, words[k]) != code;
        }
    EXPECT(wrong == 0);
    int lower = 0, higher = 0;
    for (uint32_t word = 0; word < DRAWS; word++) {
        const uint32_t code = stored(unpack(0xd001, JX, &range), JX, word << 19);
        EXPECT(code >= 0xd000 && code <= 0xd002);
        lower += code < 0xd001;
        higher += code > 0xd001;
    }
    EXPECT(lower <= DRAWS / 400 && higher <= DRAWS / 400);
}

TEST(a_step_of_the_last_bit_is_as_large_as_it_is_said)
{
    EXPECT(unpack(0x8000, JX, &range) == 0.0f && unpack(0x8001, JX, &range) == range.quantum);
    EXPECT(unpack(0, JX, &range) == -0.125f && unpack(0xffff, JX, &range) == 0.125f - range.quantum);
    EXPECT(unpack(0x7bff, DRHO, &range) == 65504.0f / 65536.0f && unpack(0x3c00, XY, &range) == 0x1p-16f);
}

/** Whether a cell with that moment is stored as one whose density is no number. */
static int is_lost(float moment, int i, uint32_t word)
{
    float m[MOMENTS] = {0.0f};
    uint32_t bits[MOMENTS];
    m[i] = moment;
    pack(bits, m, word, &range);
    return isnan(unpack(bits[DRHO], DRHO, &range)) || !isfinite(unpack(bits[i], i, &range));
}

TEST(what_is_out_of_range_is_no_number)
{
    const uint32_t words[] = {0, 0x12345678, ~0u};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < MOMENTS; i++) {
            const float most = is_momentum(i) ? 0.125f : 1.0f, beyond[] = {1.01f, 3.0f, 1e20f, INFINITY};
            EXPECT(!is_lost(0.99f * most, i, words[k]) && !is_lost(-0.99f * most, i, words[k]));
            for (int n = 0; n < 4; n++)
                EXPECT(is_lost(beyond[n] * most, i, words[k]) && is_lost(-beyond[n] * most, i, words[k]));
            const float nans[] = {NAN, -NAN, float_of(0x7fffffff),
                                  float_of(0xffffffff)}; // the third is CUDA's
            for (int n = 0; n < 4; n++)                  // a stress is not NaN without a density that is
                EXPECT(i == DRHO || is_momentum(i) ? is_lost(nans[n], i, words[k]) : 1);
        }
}

TEST(a_cell_of_many_keeps_its_place)
{
    Physics physics = {};
    physics.width = 4095, physics.height = 1023, physics.depth = 1023;
    const size_t last_row = (size_t)physics.width * (physics.height * physics.depth - 1), line = 32 * MOMENTS;
    const size_t first = ((size_t)physics.height * physics.depth - 1) * 128 * line;
    char taken[32 * MOMENTS] = {0};
    for (int x = 0; x < 32; x++)
        for (int i = 0; i < MOMENTS; i++) {
            const size_t place = at(last_row + x, i, &physics) - first;
            EXPECT(place < line && !taken[place]);
            taken[place < line ? place : 0] = 1;
            EXPECT(at(last_row + 32 + x, i, &physics) == first + line + place);
        }
}
