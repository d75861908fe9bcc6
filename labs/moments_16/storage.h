/**
 * @file storage.h
 * How the experiment stores what a cell keeps from step to step: the numbers stay floats, rounded to those
 * that fewer bits can represent.
 */
#pragma once

#include "lattice/moments_d3q19.h"
#include "stage/stage.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The numbers of a format: multiples of a quantum, up to a largest one. The quantum of a fixed-point number
 * is `least`; that of a float is `relative` times the power of two below the number, and at least `least`.
 */
typedef struct {
    float least, relative, largest;
} Format;

/** What is rounded, and how. */
typedef struct {
    Format moment[MOMENTS]; /**< a `largest` of 0: stays in FP32 */
    Format population;      /**< the same, of the 19 populations after the collision */
    int relative;           /**< whether the second moments are stored less j j / rho, to which they relax */
    int by_chance;          /**< whether rounding is stochastic instead of to nearest */
    int interval;           /**< steps from a store to the next */
} Storage;

/** Of the solvers that advance from now on. */
extern Storage storage;

/** The stage that stores so. */
extern const Stage stage_moments_16;

#ifdef __cplusplus
}
#endif
