/**
 * @file run_flow.h
 * What tests of stages share: run a flow in a stage, compare two results.
 */
#ifndef RUN_FLOW_H
#define RUN_FLOW_H

#include "allocate.h"
#include "stages.h"

#include <math.h>
#include <stdlib.h>

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

/** The populations that a stage reads back `steps` after the start of a flow; the caller frees them. */
static inline float *run_flow(const Stage *stage, const Scenario *scenario, Block block, int steps)
{
    float *f = (float *)allocate(9 * cell_count(scenario) * sizeof(float));
    Solver *solver = stage->create(scenario, block);
    stage->advance(solver, steps);
    stage->read(solver, f);
    stage->destroy(solver);
    return f;
}

/** Largest difference of the velocities, over the reference speed; NaN if there is NaN in either. */
static inline double velocity_difference(const Scenario *s, const float *f, const float *g)
{
    double largest = 0.0;
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const Moments a = moments_at(s, f, x, y), b = moments_at(s, g, x, y);
            const double difference = fmax(fabs(a.ux - b.ux), fabs(a.uy - b.uy)) / s->u;
            if (isnan(a.ux + a.uy + b.ux + b.uy))
                return NAN;
            largest = fmax(largest, difference);
        }
    return largest;
}

/** Number of populations whose bits differ, +0 and -0 apart; NaN differs from everything. */
static inline size_t different_bits(const Scenario *s, const float *f, const float *g)
{
    size_t count = 0;
    for (size_t n = 0; n < 9 * cell_count(s); n++)
        count += !(f[n] == g[n]);
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
