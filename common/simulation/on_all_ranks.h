/**
 * @file on_all_ranks.h
 * How the ranks share a simulation: each has one of its own, of some layers of the grid, and where rank 0
 * calls a function of simulation.h, all ranks do.
 */
#pragma once

#include "ranks/ranks.h"
#include "simulation/simulation.h"

/** The layers of one rank: rows of a plane flow. */
typedef struct {
    int first, count; /**< layers first, first + 1, ..., first + count - 1 of the grid; one at least */
    int ghosts;       /**< layers of neighbours that the rank keeps on each side */
} Slab;

/** Functions that rank 0 has all ranks call: those of simulation.h, the task, and the end of the program. */
typedef enum {
    BEGIN,
    ADVANCE,
    WAIT,
    LOOK,
    LOOK_AT_ERROR,
    LOOK_AT_CHANGE,
    READ_MOMENTS,
    READ_POPULATIONS,
    READ_CELLS,
    END_SIMULATION,
    TASK,
    END
} Function;

/** Such a call, with its arguments. */
typedef struct {
    Function function;
    long steps;
    size_t first, count;
} Call;

/** Has the other ranks call begin_simulation, without a scenario, and gives all ranks the scenario, without
 * types and start. Fails with exit code 2 if there are more ranks than layers for them. */
Scenario begin_on_all_ranks(Simulation *simulation, const Stage *stage, const Scenario *scenario,
                            Block block);

/** On rank 0: has the other ranks call a function for their part of a simulation that is on ranks. */
void call_on_all_ranks(const Simulation *simulation, Call call);

/** To be called at the end of such a function. */
void end_call(void);

/** The layers of a rank, if so many share the grid. */
Slab slab_of(int rank, int ranks, const Scenario *whole);

/** The layers of a slab between its ghost layers as a grid of its own, with their types and, if the scenario
 * of rank 0 has a start, theirs; `types` and `start.f` are the caller's. `given` is that scenario; NULL on
 * other ranks. If it lacks types, each rank works out its own. */
Scenario create_part(const Slab *slab, const Scenario *whole, const Scenario *given);

/** To be called on all ranks: passes a request for an end that any of them received on to rank 0. */
void pass_on_signals(void);
