/**
 * @file gradient.h
 * How the velocity changes around a cell, and what follows from it: the vorticity, and where vortices are.
 */
#pragma once

#include "result/snapshot.h"

/** The gradient at a cell, by differences of second order, across periodic ends too, and from a wall half a
 * cell away; one-sided and of first order at an opening. It is 0 in walls. */
Gradient gradient_at(const Snapshot *result, Position at);

/** Component of the vorticity along an axis, x (0), y (1) or z (2), in 1 / step. */
Real vorticity(const Gradient *gradient, int axis);

/** The Q criterion (Hunt, Wray & Moin 1988, Center for Turbulence Research, report CTR-S88, 193-208), in 1 /
 * step^2: half of the square of the rate of rotation minus half of that of the rate of strain. */
Real q_criterion(const Gradient *gradient);
