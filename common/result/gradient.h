/**
 * @file gradient.h
 * How the velocity changes around a cell, and what follows from it: the vorticity, and where vortices are.
 */
#ifndef GRADIENT_H
#define GRADIENT_H

#include "result/result.h"

/** The velocity gradient: u[i][j] is d(u_i)/d(x_j), in 1 / step. */
typedef struct {
    float u[3][3];
} Gradient;

/** The gradient at a cell, by central differences; one-sided at the ends of the grid, periodic or not. */
Gradient gradient_at(const Result *result, Position at);

/** Component of the vorticity along an axis, x (0), y (1) or z (2), in 1 / step. */
float vorticity(const Gradient *gradient, int axis);

/**
 * The Q criterion (Hunt, Wray & Moin 1988, Center for Turbulence Research, report CTR-S88, 193-208), in
 * 1 / step^2: half of the square of the rate of rotation minus half of that of the rate of strain. Where it
 * is above 0 the fluid rotates more than it is strained: there is a vortex.
 */
float q_criterion(const Gradient *gradient);

#endif
