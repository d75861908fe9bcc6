/**
 * @file simulation.h
 * A flow in a stage. The state stays where the stage computes it; what leaves it are sums, cells, or fields.
 * Where the stage runs on ranks, rank 0 calls these functions for the whole grid, and on_all_ranks.h has the
 * others call them, whose arguments may be NULL.
 */
#pragma once

#include "gpu/memory.h"
#include "result/snapshot.h"
#include "simulation/batch.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Simulation Simulation;

/** Sets up a stage at the start of a scenario, which must outlive it. Fails as Stage.create does. */
Simulation *begin_simulation(const Stage *stage, const Scenario *scenario, Block block);

/** Makes `steps` time steps; on the device it may return before the work is done. */
void advance_simulation(Simulation *simulation, long steps);

/** Waits until all steps are done. */
void wait_for_simulation(const Simulation *simulation);

/** The step where it is. */
long current_step(const Simulation *simulation);

/** What it runs. */
Solver *solver_of(const Simulation *simulation);
/** The stage in which it runs. */
const Stage *stage_of(const Simulation *simulation);
/** The scenario of the whole grid. */
const Scenario *scenario_of(const Simulation *simulation);

/** Where its state lives. */
const Memory *memory_of(const Simulation *simulation);
/** The loops over batches there. */
const BatchLoops *loops_of(const Simulation *simulation);

/** A batch of listed cells of a scenario with types, without arrays. */
Batch listed_batch(const Simulation *simulation, const CellNumber *list, CellNumber count);

/** Frees what listed_batch took. */
void release_list(const Simulation *simulation, const Batch *batch);

/** Gets the populations of cells, as Stage.read, also before the first step. */
void read_cells(const Simulation *simulation, Cells cells, Real *f);

/** Looks at all cells. The sums have the same bits in every run. */
FlowSums look_at(const Simulation *simulation);

/** The same, compared with the velocity at the last such look; the first one finds no change. */
FlowSums look_at_change(Simulation *simulation);

/** The same, compared with the analytic solution, which the flow has. */
FlowSums look_at_error(const Simulation *simulation);

/** What velocities that a look compares differ by: as relative_change, or exact_error. */
double change_of(const FlowSums *sums);

/** Brings density and velocity of the cells first, first + 1, ... home: as find_moments. */
void read_moments(const Simulation *simulation, size_t first, size_t count, Moments *moments);

/** The same of the cells in a list. */
void read_listed_moments(const Simulation *simulation, const CellNumber *list, CellNumber count,
                         Moments *moments);

/** Brings the populations of the cells home, before the collision: f[directions * n + i]. */
void read_populations(const Simulation *simulation, size_t first, size_t count, Real *f);

/** Makes a result that of now: its moments and nodes, and its populations if it has room for them. */
void read_snapshot(Snapshot *result, const Simulation *simulation);

/** Frees what begin_simulation took. */
void end_simulation(Simulation *simulation);

#ifdef __cplusplus
}
#endif
