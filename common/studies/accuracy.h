/**
 * @file accuracy.h
 * How far results are from each other and from what is known. A result with NaN in it gives NaN; compare as
 * !(error <= bound).
 */
#pragma once

#include "result/snapshot.h"

/** ||u - v|| / ||v|| over all cells that are not walls, where v are the velocities previous[cell]. 0 if both
 * are at rest, infinite if only v is. */
double relative_change(const Snapshot *result, const Moments *previous);

/** The relative change between two results of a steady flow that rounding for storage may keep up for ever:
 * an epsilon in each of them. Unbiased, channels and cavities were seen to change by 0.3 to 1.3 epsilon at
 * tau from 0.54 to 2, and by more towards 1/2. */
double change_by_rounding(const Stage *stage);

/** Relative L2 error of the velocity against the flow's analytic solution; NaN if it has none. */
double exact_error(const Snapshot *result);

/** Relative L2 error of the pressure against that solution, both without their means. NaN if it has none. */
double pressure_error(const Snapshot *result);

/** How much of the analytic solution is in the velocity: its projection on it, 1 if they are the same. Errors
 * of single cells cancel. NaN if there is no analytic solution. */
double exact_share(const Snapshot *result);
