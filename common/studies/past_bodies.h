/**
 * @file past_bodies.h
 * Flows past bodies against what is published. NaN for results with NaN in them and for other flows and
 * Reynolds numbers.
 *
 * Cylinder in a channel at Re 20: case 2D-1 of M. Schaefer, S. Turek et al. (1996),
 * doi:10.1007/978-3-322-89849-4_39, with the values that spectral and finite element methods have agreed on
 * since. Sphere in an endless stream at Re 100: the drag 24/Re (1 + 0.1935 Re^0.6305), which R. Clift, J. R.
 * Grace & M. E. Weber (1978), Bubbles, Drops, and Particles, fit to measurements and computations.
 */
#pragma once

#include "result/snapshot.h"

/** Relative deviation from the drag of the cylinder, 5.5795. */
double drag_deviation(const Snapshot *result);

/** Deviation from the lift of the cylinder, the coefficient 0.0106. */
double lift_deviation(const Snapshot *result);

/** Relative deviation from the pressure in front of the cylinder less that behind it, 2.938 rho u^2. */
double pressure_deviation(const Snapshot *result);

/** Relative deviation from the drag of the sphere, 1.087. */
double sphere_drag_deviation(const Snapshot *result);
