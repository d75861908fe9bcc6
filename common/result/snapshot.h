/**
 * @file snapshot.h
 * A flow at one step, as a simulation read it back.
 */
#pragma once

#include "stage/stage.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A scenario, a step, and the state of its cells then. */
typedef struct {
    const Scenario *scenario;
    long step;
    Real *f;          /**< populations before the collision, f[directions * cell + i]; NULL: not kept */
    Moments *moments; /**< of the cells, moments[cell]: see find_moments */
    Real *nodes;      /**< of the membrane: their positions, [3][nodes]; NULL: there is none */
} Snapshot;

/** Room for a result of a scenario, which must outlive it. Fails with exit code 3 if memory is short. */
Snapshot create_snapshot(const Scenario *scenario);

/** The same without populations: `f` is NULL. Pages of memory that nobody writes to are not taken. */
Snapshot create_fields(const Scenario *scenario);

/** The state of a scenario at time 0. */
Snapshot initial_snapshot(const Scenario *scenario);

/** Frees what create_snapshot or create_fields took. */
void destroy_snapshot(Snapshot *result);

/** Works the moments out from the populations. Walls have density 1 and their own speed, cells of in- and
 * outflow what they prescribe. */
void find_moments(Snapshot *result);

/** Density and velocity of cell (x, y) of a plane flow. */
Moments moments_at(const Snapshot *result, int x, int y);

/** Mass of all cells that are not walls, summed in double precision. */
double total_mass(const Snapshot *result);

/** Whether every density is finite and positive and every velocity finite. */
int is_sane(const Snapshot *result);

#ifdef __cplusplus
}
#endif
