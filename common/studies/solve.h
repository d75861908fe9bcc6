/**
 * @file solve.h
 * A flow solved by a stage: for so many steps, or until it is steady.
 */
#pragma once

#include "result/snapshot.h"

/** What the stage reads back after so many steps. */
Snapshot snapshot_after(const Stage *stage, const Scenario *scenario, Block block, long steps);

/** What it reads back when `interval` steps change the velocity by at most `bound` (relative_change), or
 * after 200 intervals, or where the velocity is NaN. Stores what the last interval changed. */
Snapshot steady_snapshot(const Stage *stage, const Scenario *scenario, Block block, long interval,
                         double bound, double *changed);

/** How much larger the viscosity of a stage is than nu, relative, from the decay of taylor_green's vortices
 * in `steps` steps after step `first`. */
double viscosity_error(const Stage *stage, const Scenario *scenario, Block block, int first, int steps);
