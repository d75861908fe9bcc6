/**
 * @file solve.h
 * A flow solved by a stage: for so many steps, or until it is steady.
 */
#ifndef SOLVE_H
#define SOLVE_H

#include "result.h"

/** What the stage reads back after so many steps. */
Result result_after(const Stage *stage, const Scenario *scenario, Block block, long steps);

/**
 * What it reads back when `interval` steps change the velocity by at most `bound` (relative_change), or after
 * 200 intervals, or where the velocity is NaN. Stores what the last interval changed.
 */
Result steady_result(const Stage *stage, const Scenario *scenario, Block block, long interval, double bound,
                     double *changed);

#endif
