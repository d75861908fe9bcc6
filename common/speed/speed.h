/**
 * @file speed.h
 * The speed of a stage: how many steps are timed, how often, and what comes out. Only the time in which the
 * solver advances counts; setup and reading back are timed apart.
 */
#ifndef SPEED_H
#define SPEED_H

#include "stage.h"
#include "statistics.h"

/** The relaxation time in all measurements: stable at every size. */
static const double measured_tau = 0.8;

/** How thorough a measurement is. */
typedef struct {
    int repeats;
    double shortest, longest; /**< seconds that one repeat lasts, if a step allows it */
} Effort;

/** What was measured of one stage at one size. */
typedef struct {
    int steps;               /**< of each repeat */
    Statistics mlups;        /**< over the repeats */
    double setup, read_back; /**< seconds to set the solver up, and to read its populations back */
} Measurement;

/** Even and odd steps of a stage, timed apart: each with its launch, and until its end. */
typedef struct {
    int pairs;            /**< of one even and one odd step, in each repeat */
    Statistics even, odd; /**< seconds a step, over the repeats */
} Phases;

/**
 * Steps that one repeat takes on a grid of so many cells if one step takes so many seconds: for every size
 * the same number of updates, unless that is over in less than effort->shortest or takes more than
 * effort->longest seconds. Always even, so that AA stages do as many steps of either kind; at least 2.
 */
int choose_steps(double cells, double seconds_per_step, const Effort *effort);

/**
 * Times a stage: a warm-up that is not counted, then the repeats. Leaves the populations at the end in f, and
 * ends the program with exit code 1 if they make no sense.
 */
Measurement measure(const Stage *stage, const Scenario *scenario, Block block, const Effort *effort,
                    float *f);

/** Times even and odd steps of a stage apart; f and the end as with measure(). */
Phases measure_phases(const Stage *stage, const Scenario *scenario, Block block, const Effort *effort,
                      float *f);

/** What a speed means. */
typedef struct {
    double bandwidth;   /**< GB/s of main-memory traffic that it needs at least */
    double share;       /**< of the speed at which that memory copies */
    double over_before; /**< times as fast as the stage that it follows */
    double over_first;  /**< times as fast as the first stage */
} Comparison;

/** Compares a stage's MLUPS with a copy, GB/s read and written, and with other stages' MLUPS; NaN: unknown.
 */
Comparison compare(const Stage *stage, double mlups, double copy, double before, double first);

#endif
