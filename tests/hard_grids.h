/**
 * @file hard_grids.h
 * Grids that an index error does not survive, and cells of all types in any neighbourhood.
 */
#ifndef HARD_GRIDS_H
#define HARD_GRIDS_H

#include "flow/scenario.h"
#include "lattice/d2q9.h"

enum { SMALL_SIDES = 7, SMALL_FLOWS = 3, SMALL_GRIDS = SMALL_FLOWS * SMALL_SIDES * SMALL_SIDES };

/** The parameters and, in `flow`, the flow of the n-th small or narrow grid. */
static inline Parameters small_grid(int n, const Flow **flow)
{
    static const char *const names[SMALL_FLOWS] = {"poiseuille", "cavity", "taylor_green"};
    static const int sides[SMALL_SIDES] = {1, 2, 3, 4, 5, 16, 33};
    *flow = find_flow(names[n / (SMALL_SIDES * SMALL_SIDES)]);
    return (Parameters){
        .width = sides[n % SMALL_SIDES], .height = sides[n / SMALL_SIDES % SMALL_SIDES], .tau = 0.6};
}

/** Whether it can hold its flow. */
static inline int fits_small_grid(int n)
{
    const Flow *flow;
    const Parameters p = small_grid(n, &flow);
    return p.width >= flow->least.x && p.height >= flow->least.y;
}

/** The n-th small grid, which must fit; the caller destroys it. */
static inline Scenario create_small_grid(int n)
{
    const Flow *flow;
    const Parameters p = small_grid(n, &flow);
    return create_scenario(flow, p);
}

/** A periodic box of cells of all types at random, `solid` of 16 of them solid; the caller destroys it. */
static inline Scenario create_maze(int width, int height, unsigned solid)
{
    static const Cell walls[] = {WALL, MOVING_WALL, BODY},
                      others[] = {FLUID, FLUID, FLUID, FLUID, FLUID, OPEN, INFLOW, OUTFLOW};
    Scenario s = create_scenario(find_flow("taylor_green"),
                                 (Parameters){.width = width, .height = height, .tau = 0.9});
    uint32_t chance = 1;
    for (size_t cell = 0; cell < cell_count(&s); cell++) {
        chance = chance * 1664525u + 1013904223u;
        s.type[cell] = chance >> 28 < solid ? walls[(chance >> 16) % 3] : others[chance >> 16 & 7];
    }
    for (int i = 1; i < DIRECTIONS; i++)
        s.physics.wall_gain[i] = (Real)(1e-3 * i);
    s.physics.force_x = 1e-4f;
    s.physics.force_y = -2e-4f;
    s.physics.open_x = 0.02f;
    s.physics.open_y = -0.01f;
    return s;
}

#endif
