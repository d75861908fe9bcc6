/**
 * @file sphere.h
 * The drag of a sphere in an endless stream at Re 100: 1.087, which is 24/Re (1 + 0.1935 Re^0.6305), the fit
 * to measurements and computations from Re 20 to 260 of R. Clift, J. R. Grace & M. E. Weber, Bubbles, Drops,
 * and Particles (1978).
 */
#ifndef SPHERE_H
#define SPHERE_H

#include "result/snapshot.h"

/** Relative deviation of the drag from theirs. NaN for results with NaN in them, for other flows than
 * `sphere` and for other Reynolds numbers. */
double sphere_drag_deviation(const Snapshot *result);

#endif
