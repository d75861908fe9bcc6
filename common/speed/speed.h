/**
 * @file speed.h
 * The speed of a stage. Only the time in which the solver advances counts.
 */
#pragma once

#include "speed/power.h"
#include "stage/stage.h"

/** Million lattice updates per second: cells * steps / seconds / 1e6; 0 for no time at all. */
double mlups(double cells, double steps, double seconds);

/** Statistics over repeats of one measurement. */
typedef struct {
    double mean, min, max;
    double variation; /**< coefficient of variation: sample standard deviation over mean; NaN for one */
} Statistics;

/** Statistics of count >= 1 samples. */
Statistics statistics(const double *samples, int count);

/** The relaxation time in all measurements: stable at every size. */
static const double measured_tau = 0.8;

/** How thorough a measurement is. */
typedef struct {
    int repeats;
    double shortest, longest;  /**< seconds that one repeat lasts, if a step allows it */
    const PowerSensor *sensor; /**< sampled during the repeats; NULL: none */
    int all_ranks;             /**< instead, those of the GPUs of all ranks (power_on_ranks.h) */
} Effort;

/** What was measured of one stage at one size. */
typedef struct {
    int steps;          /**< of each repeat */
    Statistics mlups;   /**< over the repeats */
    double setup, look; /**< seconds to set the stage up, and to look at all cells */
    double update;      /**< seconds of an update, over all repeats */
    Power power;        /**< during the repeats */
} Measurement;

/** Seconds that a repeat lasts: `usual`, or what LBM_REPEAT_MS, for tests, says. Ends the program if that is
 * no integer from 1 to 1000. */
double shortest_repeat(double usual);

/** Steps that one repeat takes on a grid of so many cells: for every size the same number of updates, unless
 * that is over in less than effort->shortest or takes more than effort->longest seconds. Always whole cycles
 * of so many steps, one at least. */
int choose_steps(double cells, double seconds_per_step, int cycle, const Effort *effort);

/** Times a stage: a warm-up that is not counted, then the repeats, until a signal asks for an end. Ends the
 * program with exit code 1 if the flow diverges. The scenario of a stage on ranks may lack its types. */
Measurement measure(const Stage *stage, const Scenario *scenario, Block block, const Effort *effort);

/** Times each step of a cycle separately, with its launch and until its end: step[n] gets the seconds of the
 * n-th step of a cycle, over the repeats. Returns how many cycles a repeat takes; ends as measure() does. */
int measure_phases(const Stage *stage, const Scenario *scenario, Block block, const Effort *effort,
                   Statistics *step);

/** What a speed means. */
typedef struct {
    double bandwidth;   /**< GB/s of main-memory traffic that it needs at least */
    double share;       /**< of the speed at which that memory copies */
    double over_before; /**< times as fast as the stage that it follows */
    double over_first;  /**< times as fast as the first stage */
} Comparison;

/** Compares MLUPS of a stage with a copy, GB/s read and written, and with those of others; NaN: unknown. */
Comparison compare(const Stage *stage, double mlups, double copy, double before, double first);
