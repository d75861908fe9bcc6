/**
 * @file hard_grids.h
 * Grids that an index error does not survive, and cells of all types in any neighbourhood.
 */
#ifndef HARD_GRIDS_H
#define HARD_GRIDS_H

#include "flow/scenario.h"

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

/** Makes of a scenario a periodic box of cells of all types at random, `solid` of 16 of them solid. */
static inline void make_maze(Scenario *s, unsigned solid)
{
    static const CellType walls[] = {WALL, MOVING_WALL, BODY},
                          others[] = {FLUID, FLUID, FLUID, FLUID, FLUID, OPEN, INFLOW, OUTFLOW};
    uint32_t chance = 1;
    for (size_t cell = 0; cell < cell_count(s); cell++) {
        chance = chance * 1664525u + 1013904223u;
        s->type[cell] = chance >> 28 < solid ? walls[(chance >> 16) % 3] : others[chance >> 16 & 7];
    }
    for (int i = 1; i < directions_of(s); i++)
        s->physics.wall_gain[i] = (Real)(1e-3 * i);
    s->physics.force_x = 1e-4f;
    s->physics.force_y = -2e-4f;
    s->physics.force_z = s->flow->lattice->dimensions == 3 ? 1.5e-4f : 0.0f;
    s->mach = 1.5; // openings and walls beside each other drive it
    s->physics.open_x = 0.02f;
    s->physics.open_y = -0.01f;
}

/** A maze in the plane; the caller destroys it. */
static inline Scenario create_maze(int width, int height, unsigned solid)
{
    Scenario s = create_scenario(find_flow("taylor_green"),
                                 (Parameters){.width = width, .height = height, .tau = 0.9});
    make_maze(&s, solid);
    return s;
}

/** A maze in space, of at least 3 cells along y and z; the caller destroys it. */
static inline Scenario create_maze_in_space(int width, int height, int depth, unsigned solid)
{
    Scenario s = create_scenario(find_flow("duct"),
                                 (Parameters){.width = width, .height = height, .depth = depth, .tau = 0.9});
    make_maze(&s, solid);
    return s;
}

#endif
