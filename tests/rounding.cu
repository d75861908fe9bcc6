/**
 * @file rounding.cu
 * A stage that rounds populations stochastically: what becomes of a number, and how random that is. The build
 * defines SOLVER, the stage's file.
 */
#include SOLVER

#include "check.h"

enum { WORDS = 1 << 13, LARGEST = 0x7bff, INFINITE = 0x7c00 };

/** The half that a population becomes, as a code. */
static int stored(float population, uint32_t word)
{
    float f[9] = {population};
    round_stochastically(f, 9, word);
    return __half_as_ushort(pack(f[0]));
}

/** The population that a code stands for. */
static double meaning(int code)
{
    return unpack(__ushort_as_half((uint16_t)code));
}

static float from_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

TEST(the_mean_over_all_words_is_the_number)
{
    const float numbers[] = {0.0175f, -0.3f,     1.9f,   1.2345678e-5f, -1.9e-9f,
                             1.1e-9f, -4.4e-11f, 5e-12f, 7e-13f};
    for (int n = 0; n < 9; n++) {
        const float x = numbers[n];
        const int down = stored(x, 0), up = stored(x, ~0u);
        const double spacing = fabs(meaning(up) - meaning(down));
        EXPECT(up == down + 1);
        double sum = 0.0;
        for (uint32_t word = 0; word < WORDS; word++) {
            const int code = stored(x, word << 19);
            EXPECT(code == down || code == up);
            sum += meaning(code);
        }
        // What a float has below 13 bits behind a half is rounded to nearest: nothing, but of subnormal
        // halves.
        EXPECT_NEAR(sum / WORDS, x, fabs(x) < ldexp(1.0, -29) ? spacing / (2 * WORDS) : 0.0);
    }
}

TEST(what_a_half_can_hold_stays)
{
    const uint32_t words[] = {0, 0x12345678, 0x87654321, ~0u};
    int wrong = 0;
    for (int code = 0; code < 1 << 16; code++)
        for (int k = 0; k < 4 && (code & 0x7fff) <= LARGEST; k++)
            wrong += stored((float)meaning(code), words[k]) != code;
    EXPECT(wrong == 0);
}

TEST(nothing_wrong_becomes_a_number)
{
    const uint32_t words[] = {0, 0x12345678, ~0u}, nans[] = {0x7fffffff, 0xffffffff, 0x7fc00000, 0xffc00000};
    for (int k = 0; k < 3; k++) {
        for (int n = 0; n < 4; n++)
            EXPECT((stored(from_bits(nans[n]), words[k]) & 0x7fff) > INFINITE);
        EXPECT(stored(2.0f, words[k]) == INFINITE && stored(1e30f, words[k]) == INFINITE);
        EXPECT(stored(-2.0f, words[k]) == (INFINITE | 0x8000) &&
               stored(-INFINITY, words[k]) == (INFINITE | 0x8000));
    }
}

/* ---- How random it is: a share of 0.3 of the draws is to go up ---- */

enum { CELLS = 1 << 16, STEPS = 4, SHARE = 30 };

/** Whether the draw for direction i of a cell goes up, less the expected share of those. A pair shares a
 * hash. */
static double draw(uint32_t cell, int i, long step)
{
    float f[18];
    for (int k = 0; k < 18; k++)
        f[k] = 1.0f + SHARE / 100.0f / 1024.0f;
    round_stochastically(f, 18, hash((cell & ~1u) ^ hash((uint32_t)step)));
    return (meaning(__half_as_ushort(pack(f[cell % 2 * 9 + i]))) > 1.0) - SHARE / 100.0;
}

/** Mean product of the draws of each cell and of one elsewhere, over the variance: their correlation. */
static double correlation(int i, uint32_t right, int j, int later)
{
    double sum = 0.0;
    for (long step = 0; step < STEPS; step++)
        for (uint32_t cell = 0; cell < CELLS; cell++)
            sum += draw(cell, i, step) * draw(cell + right, j, step + later);
    return sum / ((double)CELLS * STEPS) / (SHARE / 100.0 * (1.0 - SHARE / 100.0));
}

static const double noise = 1.0 / 512.0; // one over the root of the number of draws

TEST(the_share_that_goes_up_is_right_in_each_direction)
{
    for (int i = 0; i < 9; i++) {
        double sum = 0.0;
        for (long step = 0; step < STEPS; step++)
            for (uint32_t cell = 0; cell < CELLS; cell++)
                sum += draw(cell, i, step);
        EXPECT_NEAR(sum / ((double)CELLS * STEPS), 0.0, 4.0 * noise * sqrt(0.3 * 0.7));
        EXPECT_NEAR(correlation(i, 0, i, 0), 1.0, 4.0 * noise);
    }
}

TEST(draws_know_nothing_of_each_other) // long
{
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < i; j++)
            EXPECT_NEAR(correlation(i, 0, j, 0), 0.0, 4.0 * noise);
        for (int j = 0; j < 9; j++)
            EXPECT_NEAR(correlation(i, 1, j, 0), 0.0, 4.0 * noise);
        EXPECT_NEAR(correlation(i, 64, i, 0), 0.0, 4.0 * noise);
        EXPECT_NEAR(correlation(i, 0, i, 1), 0.0, 4.0 * noise);
        EXPECT_NEAR(correlation(i, 0, i, 2), 0.0, 4.0 * noise);
    }
}
