#define CODEC   EXERCISE
#define SHIFTED 1
#include "../../labs/formats/solver.cu"

#include "check_exercise.h"

/** The value of a code, from the definition of the format. */
static double value_of(unsigned code)
{
    const int m = code & 0x7fff;
    const double magnitude = m == 0 ? 0.0 : exp2(m / 1024.0 - 31.0);
    return code & 0x8000 ? -magnitude : magnitude;
}

static void expect_code(double value, unsigned expected)
{
    const unsigned got = encode((Real)value, 0);
    if (got != expected)
        wrong("first wrong code: encode(%.9g): expected 0x%04x (%.9g), got 0x%04x (%.9g)", value, expected,
              value_of(expected), got, value_of(got));
}

/** Numbers around each code, up to almost half a step of the logarithm away. */
static void expect_rounding(void)
{
    for (unsigned code = 0x0001; code < 0x7fff; code++) {
        expect_code(value_of(code) * exp2(0.45 / 1024.0), code);
        expect_code(value_of(code) * exp2(-0.45 / 1024.0), code);
        expect_code(-value_of(code) * exp2(0.45 / 1024.0), 0x8000 | code);
    }
}

static void expect_ends(void)
{
    expect_code(0.0, 0x0000);
    expect_code(1e-12, 0x0000);
    expect_code(4.657e-10, 0x0000); // the smallest is 4.660e-10, and half a step below it lies 4.6582e-10
    expect_code(4.659e-10, 0x0001);
    expect_code(2.5, 0x7fff);
    expect_code(-2.5, 0xffff);
    expect_code(1e9, 0x7fff);
}

void check(void)
{
    part("TODO(1)", "the exponent is m / 1024 - 31, a fraction and not an integer; 0 is a case of its own");
    for (unsigned code = 0; code <= 0xffff; code++)
        if (!(fabs(decode((Code)code) - value_of(code)) <= 1e-6 * fabs(value_of(code))))
            wrong("first wrong value: code 0x%04x (sign %u, m %u): expected %.9g, got %.9g", code, code >> 15,
                  code & 0x7fff, value_of(code), (double)decode((Code)code));
    part("TODO(2)",
         "what decode makes of a code, encode must make that code of again; the sign is the topmost bit");
    for (unsigned code = 1; code <= 0xffff; code++)
        if (code != 0x8000) // the other zero
            expect_code(value_of(code), code);
    part("TODO(2)", "the nearest integer number of steps, not the one below");
    expect_rounding();
    part("TODO(2)", "m is from 0 to 32767: what lies outside becomes the one or the other");
    expect_ends();
    part("TODO(3)",
         "numbers between two codes are at most half a step away, and a step multiplies by 2^(1/1024)");
    expect_near("epsilon", STAGE.epsilon, exp2(1.0 / 2048.0) - 1.0, 1e-6);
    part("TODO(1) and TODO(2)", "the conversions are right alone, but not in the kernels");
    expect_flow(&STAGE, "taylor_green", 37, 21, 10);
    expect_flow(&STAGE, "cavity", 37, 21, 20);
}
