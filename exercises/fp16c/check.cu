#include "check_exercise.h"

#include EXERCISE

/** The value of a code, from the definition of the format. */
static double value_of(unsigned code)
{
    const int exponent = code >> 11 & 15, mantissa = code & 2047;
    const double magnitude = exponent == 0 ? ldexp(mantissa, -25) : ldexp(2048 + mantissa, exponent - 26);
    return code & 0x8000 ? -magnitude : magnitude;
}

static void expect_code(float value, unsigned expected)
{
    const unsigned got = pack(value);
    if (got != expected)
        wrong("first wrong code: pack(%.9g): expected 0x%04x (exponent %u, mantissa %u, %.9g), got 0x%04x "
              "(exponent %u, mantissa %u, %.9g)",
              value, expected, expected >> 11 & 15, expected & 2047, value_of(expected), got, got >> 11 & 15,
              got & 2047, value_of(got));
}

static void expect_rounding(void)
{
    for (unsigned code = 0x0001; code < 0x7fff; code++) { // what lies between this code and the next
        const double middle = 0.5 * (value_of(code) + value_of(code + 1)),
                     spacing = value_of(code + 1) - middle;
        expect_code((float)(middle - 0.1 * spacing), code);
        expect_code((float)(middle + 0.1 * spacing), code + 1);
        expect_code((float)-(middle + 0.1 * spacing), 0x8000 | (code + 1));
    }
}

/** Exactly half way between two codes: a float has the bits for it, subnormal codes included. */
static void expect_ties(void)
{
    for (unsigned code = 0x0000; code < 0x7fff; code++) {
        const float middle = (float)(0.5 * (value_of(code) + value_of(code + 1)));
        const unsigned even = code + (code & 1);
        expect_code(middle, even);
        expect_code(-middle, 0x8000 | even);
    }
}

/** Too large for the format, of either sign. */
static void expect_largest(float value)
{
    expect_code(value, 0x7fff);
    expect_code(-value, 0xffff);
}

void check(void)
{
    part("TODO(1)",
         "exponent 0: value = mantissa 2^-25; else value = (1 + mantissa / 2048) 2^(exponent - 15)");
    for (unsigned code = 0; code <= 0xffff; code++)
        if (!(unpack((uint16_t)code) == value_of(code)))
            wrong(
                "first wrong value: code 0x%04x (sign %u, exponent %u, mantissa %u): expected %.9g, got %.9g",
                code, code >> 15, code >> 11 & 15, code & 2047, value_of(code), unpack((uint16_t)code));
    part("TODO(2)", "what unpack makes of a code, pack must make that code of again");
    for (unsigned code = 0; code <= 0x7fff; code++)
        expect_code((float)value_of(code), code);
    part("TODO(2)", "the sign is the topmost bit; the rest is that of the magnitude");
    for (unsigned code = 0x8001; code <= 0xffff; code++)
        expect_code((float)value_of(code), code);
    part("TODO(2)", "to nearest: the bits that are cut off decide whether the last one kept goes up");
    expect_rounding();
    part("TODO(2)", "what is not half way goes to the nearest; exactly half way, the one with an even "
                    "mantissa is to win");
    expect_ties();
    part("TODO(2)", "there is no infinity: what is too large becomes the largest number of its sign, 1.9995");
    expect_largest(2.5f);
    expect_largest(1e9f);
    expect_largest(1.9999f); // below 2, and yet rounding lifts it there

    part("TODO(3)",
         "epsilon is half a unit in the last place, relative: the format has one digit more than FP16S");
    expect_near("epsilon", STAGE.epsilon, 1.0 / 4096.0, 0.0);
    part("TODO(1) and TODO(2)", "the conversions are right alone, but not in the kernels");
    expect_flow(&STAGE, "taylor_green", 37, 21, 10);
    expect_flow(&STAGE, "cavity", 37, 21, 20);
    expect_no_race(&STAGE, "cavity", 37, 21, 20);
}
