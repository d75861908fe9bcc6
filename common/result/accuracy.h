/**
 * @file accuracy.h
 * How far results are from each other and from what is known. A result with NaN in it gives NaN; compare as
 * !(error <= bound).
 */
#ifndef ACCURACY_H
#define ACCURACY_H

#include "result.h"

/** ||u - v|| / ||v|| over all cells that are not walls, where v are the velocities previous[cell]. 0 if both
 * are at rest, infinite if only v is. */
double relative_change(const Result *result, const Moments *previous);

/** Relative L2 error of the velocity against the flow's analytic solution; NaN if it has none. */
double exact_error(const Result *result);

/**
 * Largest deviation, over lid speed, from Ghia, Ghia & Shin (1982) along a centre line of a square cavity at
 * Re 100 or 1000: line 'u' (u along the vertical one) or 'v' (v along the horizontal one). NaN for flows that
 * they did not publish.
 */
double ghia_deviation(const Result *result, char line);

#endif
