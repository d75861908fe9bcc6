/**
 * @file definitions.h
 * What the formats mean, in long double and digit by digit, apart from the codecs: the tests compare the two.
 * A code without its sign has `bits` bits. With one bit more behind them the same definition gives what lies
 * half way between two codes.
 */
#ifndef DEFINITIONS_H
#define DEFINITIONS_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** How codes are made of bits. */
typedef enum {
    FLOAT,      /**< exponent, then mantissa */
    POSIT,      /**< regime, exponent, mantissa */
    LOWER_FLANK /**< the same with regimes of zeros only, n >= 0 of them */
} Kind;

/** What a number half way between two codes becomes. */
typedef enum { EVEN, UP, AT_RANDOM } Halves;

typedef struct {
    const char *name;
    Kind kind;
    int bits;          /**< of a code, without the sign */
    int exponent_bits; /**< of a float all of them; of a posit es */
    int bias;          /**< of a float; a posit has 0 */
    int scale;         /**< the value is multiplied by 2^scale */
    uint32_t largest;  /**< the code of the largest number */
    int infinity;      /**< whether the next one is infinity */
    int nan;           /**< whether the codes above are NaN */
    Halves halves;
} Definition;

static const Definition definitions[] = {
    {"fp16",         FLOAT,       15, 5, 15,  0,   0x7bff, 1, 1, EVEN     },
    {"fp16s",        FLOAT,       15, 5, 15,  -15, 0x7bff, 1, 1, EVEN     },
    {"fp16s_chance", FLOAT,       15, 5, 15,  -15, 0x7bff, 1, 1, AT_RANDOM},
    {"fp16c",        FLOAT,       15, 4, 15,  0,   0x7fff, 0, 0, UP       },
    {"bf16",         FLOAT,       15, 8, 127, 0,   0x7f7f, 1, 1, EVEN     },
    {"p16_0s",       POSIT,       15, 0, 0,   -7,  0x7fff, 0, 0, EVEN     },
    {"p16_1s",       POSIT,       15, 1, 0,   -7,  0x7fff, 0, 0, EVEN     },
    {"p16_2c",       LOWER_FLANK, 15, 2, 0,   -3,  0x7fff, 0, 0, EVEN     },
    {"fp8_e4m3",     FLOAT,       7,  4, 7,   -7,  0x7e,   0, 1, EVEN     },
    {"fp8_e5m2",     FLOAT,       7,  5, 15,  -14, 0x7b,   1, 1, EVEN     },
};

/** The definition of that name; ends the program if there is none. */
static inline const Definition *find_definition(const char *name)
{
    for (size_t n = 0; n < sizeof definitions / sizeof *definitions; n++)
        if (strcmp(definitions[n].name, name) == 0)
            return &definitions[n];
    printf("definitions.h has no definition of \"%s\"\n", name);
    exit(1);
}

/** A float: sum of its digits; exponent 0 has no leading one. */
static inline long double float_value(const Definition *d, uint32_t code, int bits)
{
    const int mantissa_bits = bits - d->exponent_bits;
    const int exponent = (int)(code >> mantissa_bits);
    long double value = exponent > 0 ? 1.0L : 0.0L;
    for (int n = 1; n <= mantissa_bits; n++)
        if (code >> (mantissa_bits - n) & 1)
            value += ldexpl(1.0L, -n);
    return ldexpl(value, (exponent > 0 ? exponent : 1) - d->bias);
}

/** A posit: its string of bits, read from the left; what is cut off at the right end is zeros. */
static inline long double posit_value_by_digits(const Definition *d, uint32_t code, int bits)
{
    if (code == 0)
        return 0.0L;
    int left = bits, run = 0, exponent = 0;
    const uint32_t first = d->kind == LOWER_FLANK ? 0 : code >> (bits - 1) & 1;
    while (left > 0 && (code >> (left - 1) & 1) == first) {
        run++;
        left--;
    }
    left--; // the bit that ends the run
    for (int n = 0; n < d->exponent_bits; n++, left--)
        exponent = 2 * exponent + (left > 0 ? (int)(code >> (left - 1) & 1) : 0);
    long double value = 1.0L;
    for (int n = 1; left > 0; n++, left--)
        if (code >> (left - 1) & 1)
            value += ldexpl(1.0L, -n);
    const int regime = first ? run - 1 : -run;
    return ldexpl(value, regime * (1 << d->exponent_bits) + exponent);
}

/** The value of a code of so many bits, as if it were a number. */
static inline long double value_by_digits(const Definition *d, uint32_t code, int bits)
{
    const long double value =
        d->kind == FLOAT ? float_value(d, code, bits) : posit_value_by_digits(d, code, bits);
    return ldexpl(value, d->scale);
}

/** What lies half way between a code and the next one. */
static inline long double half_way(const Definition *d, uint32_t code)
{
    return value_by_digits(d, 2 * code + 1, d->bits + 1);
}

/** The largest code, that of infinity included, whose number is not above a magnitude. */
static inline uint32_t code_below(const Definition *d, long double magnitude)
{
    uint32_t low = 0, high = d->largest + 1 + (uint32_t)d->infinity;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (value_by_digits(d, middle, d->bits) <= magnitude)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/** The code, without sign, to which a magnitude is rounded; of NaN that of the codec's choice, any. */
static inline uint32_t code_by_digits(const Definition *d, long double magnitude)
{
    const uint32_t most = d->largest + (d->infinity || d->nan ? 1 : 0);
    if (isinf(magnitude))
        return most;
    const uint32_t below = code_below(d, magnitude);
    const long double middle = half_way(d, below);
    uint32_t code = magnitude > middle ? below + 1 : below;
    if (magnitude == middle)
        code = d->halves == UP ? below + 1 : below + (below & 1);
    return code < most ? code : most;
}

#endif
