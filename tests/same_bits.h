/**
 * @file same_bits.h
 * For stages that are to give the same bits as another one: grids that an index error does not survive, and
 * cells of all types in any neighbourhood.
 */
#ifndef SAME_BITS_H
#define SAME_BITS_H

#include "run_flow.h"

#include "check.h"

/** Skips a test of bits where the compiler may fuse operations. */
static inline void need_exact_arithmetic(void)
{
#ifndef GPU_ON_CPU
    SKIP("a GPU's compiler fuses operations, and the last bits differ");
#endif
}

/** The stage whose solver a stage changes. */
static inline const Stage *stage_before(const Stage *stage)
{
    int n = 0;
    while (stages[n] != stage)
        n++;
    return stages[places[n].follows];
}

/** Number of populations that differ between two stages after 0, 1, ... `steps` steps. */
static inline size_t bits_apart_within(const Stage *stage, const Stage *other, const Scenario *s, int steps)
{
    size_t all = 0;
    for (int n = 0; n <= steps; n++) {
        Result r = run_flow(stage, s, small_block, n), expected = run_flow(other, s, small_block, n);
        const size_t count = different_bits(&r, &expected);
        if (count > 0)
            printf("%s %dx%d: %zu populations differ from %s's after %d steps\n", s->flow->name, s->width,
                   s->height, count, other->name, n);
        all += count;
        destroy_result(&r);
        destroy_result(&expected);
    }
    return all;
}

/** The same in all flows that small and narrow grids can hold. */
static inline size_t bits_apart_on_small_grids(const Stage *stage, const Stage *other)
{
    static const char *const names[] = {"poiseuille", "cavity", "taylor_green"};
    size_t all = 0;
    for (int k = 0; k < 3; k++)
        for (int n = 0; n < 7 * 7; n++) {
            static const int sizes[] = {1, 2, 3, 4, 5, 16, 33};
            const Flow *flow = find_flow(names[k]);
            const Parameters p = {.width = sizes[n % 7], .height = sizes[n / 7], .tau = 0.6};
            if (p.width < flow->min_width || p.height < flow->min_height)
                continue;
            Scenario s = create_scenario(flow, p);
            all += bits_apart_within(stage, other, &s, 5);
            destroy_scenario(&s);
        }
    return all;
}

/** The same in a periodic box of cells of all types at random, `solid` of 16 of them solid. */
static inline size_t bits_apart_in_a_maze(const Stage *stage, const Stage *other, int width, int height,
                                          unsigned solid)
{
    static const Cell walls[] = {WALL, MOVING_WALL, BODY}, others[] = {FLUID, FLUID, OPEN, INFLOW};
    Scenario s = create_scenario(find_flow("taylor_green"),
                                 (Parameters){.width = width, .height = height, .tau = 0.9});
    uint32_t chance = 1;
    for (size_t cell = 0; cell < cell_count(&s); cell++) {
        chance = chance * 1664525u + 1013904223u;
        s.type[cell] = chance >> 28 < solid ? walls[(chance >> 16) % 3] : others[chance >> 16 & 3];
    }
    for (int i = 1; i < DIRECTIONS; i++)
        s.physics.wall_gain[i] = (Real)(1e-3 * i);
    s.physics.force_x = 1e-4f;
    s.physics.open_x = 0.02f;
    s.physics.open_y = -0.01f;
    const size_t all = bits_apart_within(stage, other, &s, 7);
    destroy_scenario(&s);
    return all;
}

#endif
