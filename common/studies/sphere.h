/**
 * @file sphere.h
 * The drag of a sphere in an endless stream at Re 100: 1.087, from T. A. Johnson & V. C. Patel (1999), J.
 * Fluid Mech. 378, 19-70, as later authors quote it.
 */
#ifndef SPHERE_H
#define SPHERE_H

#include "result/result.h"

/** Relative deviation of the drag from theirs. NaN for results with NaN in them, for other flows than
 * `sphere` and for other Reynolds numbers. */
double sphere_drag_deviation(const Result *result);

#endif
