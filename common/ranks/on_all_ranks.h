/**
 * @file on_all_ranks.h
 * Stages that run on all ranks, each of which holds some layers of the grid. Such a stage writes the four
 * functions of stage.h for the layers of one rank, and gives the program those below instead: where rank 0
 * calls one of them, all ranks call the stage's own.
 */
#ifndef ON_ALL_RANKS_H
#define ON_ALL_RANKS_H

#include "ranks/ranks.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The layers of one rank: rows of a plane flow. */
typedef struct {
    int first, count; /**< layers first, first + 1, ..., first + count - 1 of the grid; one at least */
    Cell *type;       /**< types of their cells, after those of the ghost layers below, before those above */
} Slab;

/** The functions of a stage for the layers of one rank. */
typedef struct {
    const Stage *stage; /**< the stage that they belong to */
    int ghosts;         /**< layers of the neighbours whose types it needs, on each side; where there
                           are neighbours, each has as many layers at least */

    /** Sets up the layers of a slab at the start. The slab stays until `destroy`, and so does the scenario,
     * which is that of the whole grid, without types. */
    Solver *(*create)(const Scenario *scenario, const Slab *slab, Block block);

    /** Advances by `steps` time steps together with the other ranks. */
    void (*advance)(Solver *solver, int steps);

    /** Copies the populations of the slab's layers to f[directions * n + i], from its first cell, n = 0,
     * on. */
    void (*read)(const Solver *solver, Real *f);

    /** Frees all that `create` took. */
    void (*destroy)(Solver *solver);
} RankStage;

/**
 * What a stage's `create` calls. If the scenario has the types of its cells, rank 0 sends each rank those it
 * needs, and else each works them out for itself. Fails with exit code 2 if there are more ranks than layers
 * for them; one rank takes any grid.
 */
Solver *create_on_all_ranks(const RankStage *rank_stage, const Scenario *scenario, Block block);

/** The stage's `advance`; returns when all ranks are there. */
void advance_on_all_ranks(Solver *solver, int steps);

/** The stage's `read`: rank 0 gets the layers of all. */
void read_on_all_ranks(const Solver *solver, Real *f);

/** The stage's `destroy`. */
void destroy_on_all_ranks(Solver *solver);

#ifdef __cplusplus
}
#endif

#endif
