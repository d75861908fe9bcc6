#include "check_exercise.h"

#include EXERCISE

enum { CODES = 1 << 16, CELLS = 64, INCREMENTS = 10000 };

static const double increment = 1.0 / 64.0; // of a spacing
static const uint32_t words[] = {0, 0x12345678, 0x87654321, ~0u};

static double spacing_of(float range)
{
    return range / 32768.0;
}

/** The same spacing everywhere, from -range on. */
static void expect_codes(float range)
{
    for (uint32_t code = 1; code < CODES; code++) {
        const double spacing = (double)unpack(code, range) - unpack(code - 1, range);
        if (!(spacing == spacing_of(range)))
            wrong("range %g: codes 0x%04x and 0x%04x are %.9g apart, expected %.9g", range, code - 1, code,
                  spacing, spacing_of(range));
    }
    if (!(unpack(0, range) == -range))
        wrong("range %g: code 0x0000: expected %.9g, got %.9g", range, -range, unpack(0, range));
}

/** Each code comes back, whatever the random bits are. */
static void expect_itself(float range)
{
    for (uint32_t code = 0; code < CODES; code++)
        for (int k = 0; k < 4; k++) {
            const float momentum = unpack(code, range);
            const uint32_t got = pack(momentum, range, words[k]);
            if (got != code)
                wrong("range %g: code 0x%04x is %.9g, which with the random bits 0x%08x has become 0x%04x",
                      range, code, momentum, words[k], got);
        }
}

/** A small force acts on cells that know nothing of each other. */
static void expect_sum(float range)
{
    const double expected = INCREMENTS * increment;
    double sum = 0.0;
    uint32_t word = 1;
    for (int cell = 0; cell < CELLS; cell++) {
        const float start = unpack(CODES / 2 + 1000, range);
        float momentum = start;
        for (int n = 0; n < INCREMENTS; n++) {
            word = word * 1664525u + 1013904223u; // Knuth (1997)
            momentum = unpack(pack(momentum + (float)(increment * spacing_of(range)), range, word), range);
        }
        sum += (momentum - start) / spacing_of(range) / CELLS;
    }
    printf("%d increments of %.4f of a spacing: %.1f spacings in the mean\n", INCREMENTS, increment, sum);
    if (!(fabs(sum - expected) <= 8.0)) // five times what chance makes
        wrong("expected %.0f, give or take 8", expected);
}

/** The mean over all upper and all lower 16 bits that a word may have. */
static void expect_mean(double spacings, float range)
{
    const float momentum = (float)(spacings * spacing_of(range));
    double sum = 0.0;
    for (uint32_t k = 0; k < CODES; k++)
        sum += pack(momentum, range, k * 0x10001u) - momentum / spacing_of(range) - CODES / 2;
    if (!(fabs(sum / CODES) <= 0.005))
        wrong("range %g: the mean of %.9g over all random bits is wrong by %.4f of a spacing", range,
              momentum, sum / CODES);
}

/** Nothing but BEYOND, or this code. */
static void expect_beyond(double share, float range, uint32_t code)
{
    for (int k = 0; k < 4; k++) {
        const uint32_t got = pack((float)(share * range), range, words[k]);
        if (got != BEYOND && got != code)
            wrong("range %g: a momentum of %.9g has become code 0x%04x, which is %.9g", range, share * range,
                  got, unpack(got, range));
    }
}

void check(void)
{
    static const float ranges[] = {0.125f, 1.0f, 0x1p-9f};
    static const double numbers[] = {0.5, 1000.0 + 3.0 / 128.0, -0.3, -20000.41, 32000.9},
                        beyond[] = {1.0, 1.0001, -1.0001, 3.0, -3.0, 1e20, -1e20, INFINITY, -INFINITY, NAN};
    for (int r = 0; r < 3; r++) {
        part("TODO(1)", "fixed point: code 0 is -range, and the spacing is range / 32768 everywhere");
        expect_codes(ranges[r]);
        part("TODO(2)",
             "a momentum that has a code keeps it, whatever is drawn; a float of 24 bits may round a sum up");
        expect_itself(ranges[r]);
    }
    part("TODO(2)", "rounding to nearest loses every small increment; the random bits must decide");
    expect_sum(ranges[0]);
    for (int r = 0; r < 3; r++) {
        part("TODO(2)",
             "the upper code's probability is the distance from the lower one; draw 7 bits or more");
        for (int n = 0; n < 5; n++)
            expect_mean(numbers[n], ranges[r]);
        part("TODO(3)", "out of range is BEYOND, and so is NaN, with which every comparison is false");
        for (int n = 0; n < 10; n++)
            expect_beyond(beyond[n], ranges[r], BEYOND);
        part("TODO(3)", "rounding up may leave the range: test the result, not the momentum");
        expect_beyond(1.0 - 0.5 / 32768.0, ranges[r], CODES - 1);
        expect_beyond(-1.0 - 0.5 / 32768.0, ranges[r], 0);
    }
}
