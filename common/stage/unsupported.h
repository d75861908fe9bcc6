/**
 * @file unsupported.h
 * Flows and grids that a stage can't take. Call these functions before `create`.
 */
#pragma once

#include "stage/stage.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Whether the stage computes on the lattice of the flow, and with its membrane if it has one. */
int takes_flow(const Stage *stage, const Flow *flow);

/** The first of all flows that the stage takes. */
const Flow *first_flow(const Stage *stage);

/** Fails with exit code 2 and one line that names the flows that the stage takes, unless this is one. */
void check_lattice(const Stage *stage, const Flow *flow);

/** The reason why the stage refuses a grid of that size, and the largest height that it takes at that width,
 * if there is one; NULL if the stage takes the grid. */
const char *stage_reason(const Stage *stage, int width, int height);

/** The reason why this device can't run the stage on any grid; NULL if it can. */
const char *device_reason(const Stage *stage);

/** Fails with exit code 2 and one line that holds the reason, if there is one. */
void check_grid(const Stage *stage, int width, int height);

#ifdef __cplusplus
}
#endif
