/**
 * @file schaefer_turek.h
 * Case 2D-1 of M. Schaefer, S. Turek et al. (1996), doi:10.1007/978-3-322-89849-4_39: a cylinder in a channel
 * at Re 20, with the values that spectral and finite element methods have agreed on since. NaN for results
 * with NaN in them and for all other flows and Reynolds numbers.
 */
#ifndef SCHAEFER_TUREK_H
#define SCHAEFER_TUREK_H

#include "result/snapshot.h"

/** Relative deviation from their drag, 5.5795. */
double drag_deviation(const Snapshot *result);

/** Deviation from their lift, the coefficient 0.0106. */
double lift_deviation(const Snapshot *result);

/** Relative deviation from their pressure in front of the cylinder less that behind it, 2.938 rho u^2. */
double pressure_deviation(const Snapshot *result);

#endif
