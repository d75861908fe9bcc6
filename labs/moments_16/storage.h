/**
 * @file storage.h
 * How the experiment stores what a cell keeps from step to step: the numbers stay floats, rounded to those
 * that a format of fewer bits has.
 */
#pragma once

#include "lattice/moments_d3q19.h"
#include "stage/stage.h"

#include <math.h>
#include <string.h>

/**
 * The numbers of a format: multiples of a quantum, up to a largest one. The quantum of a fixed-point number
 * is `least`; that of a float is `relative` times the power of two below the number, and at least `least`.
 * All three are powers of two, but for the largest number.
 */
typedef struct {
    float least, relative, largest;
} Format;

/** A number of so many bits, one of them the sign, in a range from -range to range. */
static inline Format fixed_point(int bits, float range)
{
    const float quantum = ldexpf(range, 1 - bits);
    const Format made = {quantum, 0.0f, range - quantum};
    return made;
}

/** A float of so many bits, five of which are the exponent, scaled to that range: 16 bits and a range of 2 are
 * FP16S. Its largest number is taken instead of infinity. */
static inline Format scaled_float(int bits, float range)
{
    const float relative = ldexpf(1.0f, 6 - bits); // bits - 6 are stored behind the leading one
    const Format made = {ldexpf(range * relative, -30), relative, range * (1.0f - 0.5f * relative)};
    return made;
}

/** The number of a format next to a value and to so many quanta beside it. */
HOST_DEVICE float rounded(float value, Format format, float dither)
{
    uint32_t bits;
    float power, inverse;
    memcpy(&bits, &value, sizeof bits);
    bits &= 0x7f800000; // the exponent alone: the power of two below the value
    memcpy(&power, &bits, sizeof power);
    const float spacing = format.relative * power;
    const float quantum = spacing > format.least ? spacing : format.least;
    memcpy(&bits, &quantum, sizeof bits);
    bits = 0x7f000000 - bits;
    memcpy(&inverse, &bits, sizeof inverse);
    const float near = quantum * rintf(value * inverse + dither);
    return near > format.largest ? format.largest : near < -format.largest ? -format.largest : near;
}

/** What is rounded, and how. A format whose largest number is 0 stands for FP32. */
typedef struct {
    Format moment[MOMENTS];
    Format population; /**< of the 19 after the collision */
    int is_relative;   /**< whether the second moments are stored less j j / rho, to which they relax */
    int is_by_chance;  /**< whether rounding is stochastic instead of to nearest */
    int interval;      /**< steps from one rounding of the moments to the next */
} Storage;

#ifdef __cplusplus
extern "C" {
#endif

/** Of the solvers that are created from now on. */
extern Storage storage;

/** The stage that stores so. */
extern const Stage stage_moments_16;

#ifdef __cplusplus
}
#endif
