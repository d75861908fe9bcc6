/**
 * @file same_bits.h
 * For stages that are to give the same bits as another one, on all grids that are hard to get right.
 */
#ifndef SAME_BITS_H
#define SAME_BITS_H

#include "hard_grids.h"
#include "run_flow.h"

#include "check.h"

/** Skips a test of bits where the compiler may fuse operations. */
static inline void need_exact_arithmetic(void)
{
#if !defined GPU_ON_CPU && defined STAGE
    if (STAGE.home == ON_DEVICE)
        SKIP("a GPU's compiler fuses operations, and the last bits differ");
#endif
}

/** The stage whose solver a stage changes. */
static inline const Stage *stage_before(const Stage *stage)
{
    int n = 0;
    while (stages[n] != stage)
        n++;
    return stages[stage_info[n].follows];
}

/** Number of populations that differ between two stages after 0, 1, ... `steps` steps; under the sanitizers,
 * to which a wrong address shows at once, after the last two of these. */
static inline size_t bits_apart_within(const Stage *stage, const Stage *other, const Scenario *s, int steps)
{
    size_t all = 0;
#ifdef __SANITIZE_ADDRESS__
    const int first = steps - 1;
#else
    const int first = 0;
#endif
    for (int n = first; n <= steps; n++) {
        Snapshot r = run_flow(stage, s, small_block, n), expected = run_flow(other, s, small_block, n);
        const size_t count = different_bits(&r, &expected);
        if (count > 0)
            printf("%s %dx%d: %zu populations differ from %s's after %d steps\n", s->flow->name, s->width,
                   s->height, count, other->name, n);
        all += count;
        destroy_snapshot(&r);
        destroy_snapshot(&expected);
    }
    return all;
}

/** The same in all flows that small and narrow grids can hold. */
static inline size_t bits_apart_on_small_grids(const Stage *stage, const Stage *other)
{
    size_t all = 0;
    int compared = 0;
    for (int n = 0; n < SMALL_GRIDS; n++) {
        if (!fits_small_grid(n))
            continue;
        Scenario s = create_small_grid(n);
        if (takes(stage, &s) && takes(other, &s)) {
            all += bits_apart_within(stage, other, &s, 5);
            compared++;
        }
        destroy_scenario(&s);
    }
    EXPECT(compared > 0);
    return all;
}

/** The same in a maze. */
static inline size_t bits_apart_in_a_maze(const Stage *stage, const Stage *other, int width, int height,
                                          unsigned solid)
{
    Scenario s = create_maze(width, height, solid);
    const size_t all = bits_apart_within(stage, other, &s, 7);
    destroy_scenario(&s);
    return all;
}

#endif
