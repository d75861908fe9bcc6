/**
 * @file run_flow.h
 * What tests of stages share: run a flow in a stage, compare two results.
 */
#ifndef RUN_FLOW_H
#define RUN_FLOW_H

#include "result.h"

#include <math.h>

static const Block small_block = {32, 8};

/** The fastest stage here in single precision. */
static inline const Stage *fast_stage(void)
{
    int n = 0;
#ifndef GPU_ON_CPU
    for (int k = 0; k < stage_count; k++)
        n = stages[k]->epsilon == stages[0]->epsilon ? k : n;
#endif
    return stages[n];
}

/** What a stage reads back `steps` after the start of a flow; the caller destroys it. */
static inline Result run_flow(const Stage *stage, const Scenario *scenario, Block block, int steps)
{
    Result r = create_result(scenario);
    Solver *solver = stage->create(scenario, block);
    stage->advance(solver, steps);
    read_result(&r, stage, solver, steps);
    stage->destroy(solver);
    return r;
}

/** Largest difference of the velocities, over the reference speed; NaN if there is NaN in either. */
static inline double velocity_difference(const Result *r, const Result *other)
{
    double largest = 0.0;
    for (size_t cell = 0; cell < cell_count(r->scenario); cell++) {
        const Moments a = r->moments[cell], b = other->moments[cell];
        if (isnan(a.ux + a.uy + b.ux + b.uy))
            return NAN;
        largest = fmax(largest, fmax(fabs(a.ux - b.ux), fabs(a.uy - b.uy)) / r->scenario->u);
    }
    return largest;
}

/** Number of populations whose bits differ, +0 and -0 apart; NaN differs from everything. */
static inline size_t different_bits(const Result *r, const Result *other)
{
    size_t count = 0;
    for (size_t n = 0; n < DIRECTIONS * cell_count(r->scenario); n++)
        count += !(r->f[n] == other->f[n]);
    return count;
}

/**
 * How far a stage may be from the reference, in velocity over reference speed. Independent roundings of what
 * is stored add up as a random walk, epsilon sqrt(steps), in the one as in the other.
 */
static inline double allowed_difference(const Stage *stage, int steps)
{
    return 2.0 * stage->epsilon * sqrt(steps);
}

#endif
