/**
 * @file vortices.h
 * Vortices in a periodic cube: exact ones that do not change along one axis, and how much of their energy
 * others lose.
 */
#pragma once

#include "result/snapshot.h"

/** The state at time t of the plane vortices of the flow taylor_green, drawn out along an axis (0 for x, 1,
 * 2), an exact solution on the cube of a scenario; and its gradient, unless that is NULL. */
Moments drawn_out_vortices(const Scenario *scenario, int axis, double t, Position at, Gradient *gradient);

/** Relative L2 error of the velocity of a result against them. */
double drawn_out_error(const Snapshot *result, int axis);

/** Kinetic energy over mass, the mean of |u|^2 / 2, of a periodic flow without walls. */
double kinetic_energy(const Snapshot *result);

/** Enstrophy, the mean of |curl u|^2 / 2, of such a flow, by central differences of fourth order. 2 nu times
 * it is the energy that viscosity takes in a step. */
double enstrophy(const Snapshot *result);
