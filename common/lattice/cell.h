/**
 * @file cell.h
 * What all lattices share: types of numbers and of cells, the parameters that kernels need, the moments of a
 * cell. Host and device code, C and CUDA C. All quantities are in lattice units.
 */
#pragma once

#if defined __FAST_MATH__ || __FINITE_MATH_ONLY__
#error "-ffast-math, -Ofast and -ffinite-math-only take away the checks for NaN; leave them out"
#endif

#include <stdint.h>

#if defined __CUDACC__ || defined __HIP__
#define HOST_DEVICE static inline __host__ __device__
#elif defined __GNUC__ // gcc and clang; a loop that calls a function is not made into vectors
#define HOST_DEVICE static inline __attribute__((always_inline))
#else
#define HOST_DEVICE static inline
#endif

/** The type of all numbers in this build: float, or double with -DREAL=double. */
#ifndef REAL
#define REAL float
#endif
typedef REAL Real;

/** The type of a cell. Everything from WALL on is solid; a BODY is a still wall whose force is measured. */
enum { FLUID, OPEN, INFLOW, OUTFLOW, WALL, MOVING_WALL, BODY };
typedef unsigned char CellType;

/** The most populations of a cell on any lattice. */
enum { MOST_DIRECTIONS = 19 };

/** The parameters of a flow that kernels need; small enough to be passed by value. Their order matters: with
 * the depth behind the height, some kernels spill registers (nvcc 13.0). */
typedef struct {
    int width, height;               /**< cells along x and y, walls included */
    Real omega;                      /**< relaxation rate 1 / tau */
    Real force_x, force_y;           /**< body force per cell */
    Real wall_gain[MOST_DIRECTIONS]; /**< a moving wall adds this to population i: -6 w_i (e_i . u_wall) */
    Real open_x, open_y;             /**< largest velocity of open and inflow cells */
    Real open_centre;                /**< y of the largest velocity */
    Real open_curvature; /**< the velocity falls off as 1 - curvature (y - centre)^2; 0: uniform */
    int depth;           /**< cells along z; 1 in a plane flow */
    Real force_z;        /**< body force per cell along z */
} Physics;

/** Density less 1 and velocity of one cell; a plane flow has uz 0. */
typedef struct {
    Real drho, ux, uy, uz;
} Moments;

/** The gradient of the velocity: u[a][b] is d(u_a)/d(x_b), in 1 / step. */
typedef struct {
    Real u[3][3];
} Gradient;

/** The number of a cell, (z * height + y) * width + x, up to 4.3e9; 64 bits would cost instructions. */
typedef uint32_t CellNumber;

/** The place where a population lands: cell and direction there, and its gain on the way. */
typedef struct {
    CellNumber cell;
    int direction;
    Real gain;
} Destination;

/** Walls are solid: no populations live there. */
HOST_DEVICE int is_wall(CellType type)
{
    return type >= WALL;
}

/** Open boundary cells: their populations are prescribed. */
HOST_DEVICE int is_opening(CellType type)
{
    return type != FLUID && !is_wall(type);
}

/** Whether the velocity changes so little from cell to cell, in a relaxation time, that populations are close
 * to their equilibrium: roughly, where 3 tau |grad u| < 1. */
HOST_DEVICE int changes_slowly(const Gradient *du, Real omega)
{
    Real square = 0.0f;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            square += du->u[a][b] * du->u[a][b];
    return 9.0f * square < omega * omega;
}

/** n, wrapped round to the other end of 0 .. size - 1 if it is one step outside. */
HOST_DEVICE int wrap(int n, int size)
{
    return n < 0 ? n + size : n >= size ? n - size : n;
}
