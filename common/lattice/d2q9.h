/**
 * @file d2q9.h
 * The physics that every stage shares: the D2Q9 lattice, the BGK collision, the boundary rule and the
 * moments. Host and device code, C and CUDA C. All quantities are in lattice units.
 *
 * Directions (y points up):
 *
 *     6 2 5
 *     3 0 1
 *     7 4 8
 *
 * Populations are stored shifted, f_i - w_i: fluid at rest is all zeros, and single precision keeps the
 * digits that matter (Lehmann et al. 2022, Phys. Rev. E 106, 015308). Below, "f" always means shifted.
 */
#ifndef D2Q9_H
#define D2Q9_H

#include <stdint.h>

#ifdef __CUDACC__
#define HD static inline __host__ __device__
#else
#define HD static inline
#endif

/** What numbers are made of in this build: float, or with -DREAL=double double. */
#ifndef REAL
#define REAL float
#endif
typedef REAL Real;

/** Populations of a cell: one for each direction. */
enum { DIRECTIONS = 9 };

/** What a cell is, one byte each. Everything from WALL on is solid; a BODY is a still wall that feels a
 * force. */
enum { FLUID, OPEN, INFLOW, OUTFLOW, WALL, MOVING_WALL, BODY };
typedef unsigned char Cell;

/** What the kernels need to know of a flow; small enough to be passed by value. */
typedef struct {
    int width, height;     /**< cells, walls included */
    Real omega;            /**< relaxation rate 1 / tau */
    Real force_x, force_y; /**< body force per cell */
    Real wall_gain[9];     /**< what a moving wall adds to population i: -6 w_i (e_i . u_wall) */
    Real open_x, open_y;   /**< velocity of open and inflow cells, at its largest */
    Real open_centre;      /**< y at which it is the largest */
    Real open_curvature;   /**< it falls off as 1 - curvature (y - centre)^2; 0: uniform */
} Physics;

/** Density and velocity of one cell. */
typedef struct {
    Real rho, ux, uy;
} Moments;

/** The number of a cell, y * width + x: 32 bits without a sign reach 4.3e9 cells; 64 would cost instructions.
 */
typedef uint32_t CellNumber;

/** Where a population lands: its cell and direction there, and what it gains on the way. */
typedef struct {
    CellNumber cell;
    int direction;
    Real gain;
} Landing;

/** x component of the lattice velocity e_i. */
HD int ex(int i)
{
    const int table[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
    return table[i];
}

/** y component of the lattice velocity e_i. */
HD int ey(int i)
{
    const int table[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    return table[i];
}

/** Lattice weight w_i. */
HD Real weight(int i)
{
    return i == 0 ? (Real)4 / 9 : i < 5 ? (Real)1 / 9 : (Real)1 / 36;
}

/** The direction that points the other way. */
HD int opposite(int i)
{
    const int table[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
    return table[i];
}

/** Walls are solid: no populations live there. */
HD int is_wall(Cell type)
{
    return type >= WALL;
}

/** Cells of in- and outflow: their populations are prescribed. */
HD int is_opening(Cell type)
{
    return type != FLUID && !is_wall(type);
}

/** e_i . (x, y), written out: a compiler may not drop the products with 0 (they could be NaN). */
HD Real dot(int i, Real x, Real y)
{
    switch (i) {
    case 1:
        return x;
    case 2:
        return y;
    case 3:
        return -x;
    case 4:
        return -y;
    case 5:
        return x + y;
    case 6:
        return y - x;
    case 7:
        return -x - y;
    case 8:
        return x - y;
    default:
        return 0.0f;
    }
}

/**
 * Equilibrium of direction i for the density 1 + drho and the velocity (ux, uy), terms ordered as in
 * Lehmann et al. 2022, eq. (3), so that small numbers are added before large ones.
 */
HD Real equilibrium(int i, Real drho, Real ux, Real uy)
{
    const Real eu = dot(i, ux, uy);
    return weight(i) * ((1.0f + drho) * (4.5f * eu * eu - 1.5f * (ux * ux + uy * uy) + 3.0f * eu) + drho);
}

/** Density minus one: the sum of the populations f[9]. */
HD Real sum(const Real *f)
{
    return f[0] + ((f[1] + f[3]) + (f[2] + f[4])) + ((f[5] + f[7]) + (f[6] + f[8]));
}

/** Momentum along x: the sum of e_ix f_i. */
HD Real momentum_x(const Real *f)
{
    return (f[1] - f[3]) + ((f[5] - f[7]) + (f[8] - f[6]));
}

/** Momentum along y: the sum of e_iy f_i. */
HD Real momentum_y(const Real *f)
{
    return (f[2] - f[4]) + ((f[5] - f[7]) + (f[6] - f[8]));
}

/** Flow of x momentum along y: the sum of e_ix e_iy f_i. */
HD Real momentum_flux_xy(const Real *f)
{
    return (f[5] + f[7]) - (f[6] + f[8]);
}

/** Density and velocity of the populations f[9]; the velocity includes half a step of the body force. */
HD Moments moments(const Real *f, const Physics *physics)
{
    const Real rho = 1.0f + sum(f);
    const Moments result = {
        rho,
        (momentum_x(f) + 0.5f * physics->force_x) / rho,
        (momentum_y(f) + 0.5f * physics->force_y) / rho,
    };
    return result;
}

/**
 * Sets f[9] to an equilibrium, with what in- and outflow prescribe in row y, and density 1 if nothing else is
 * said. Open cells take the prescribed velocity. Inflow cells, at the left end, take that velocity and the
 * density that goes with it and with the six populations that come from the fluid (Zou & He 1997); the other
 * three, f_1, f_5 and f_8, have e_ix = 1, so that moments weighed by 1 - e_ix do not know them. Outflow
 * cells, at the right end, take their velocity from the fluid, by moments weighed by 1 + e_ix.
 */
HD void prescribe(Real *f, Cell type, int y, const Physics *physics)
{
    const Real d = (Real)y - physics->open_centre;
    const Real profile = 1.0f - physics->open_curvature * d * d;
    Real drho = 0.0f, ux = profile * physics->open_x, uy = profile * physics->open_y;
    if (type == INFLOW)
        drho = (sum(f) - momentum_x(f) + ux) / (1.0f - ux);
    if (type == OUTFLOW) {
        ux = sum(f) + momentum_x(f);
        uy = (momentum_y(f) + momentum_flux_xy(f)) / (1.0f + ux);
    }
    for (int i = 0; i < 9; i++)
        f[i] = equilibrium(i, drho, ux, uy);
}

/**
 * Collides the populations f[9] of one cell in place. Fluid relaxes towards equilibrium (BGK) and takes up
 * the body force: f* = f + omega (feq - f) + 3 w_i (e_i . F). Cells of in- and outflow are set
 * to what they prescribe.
 */
HD void collide(Real *f, Cell type, int y, const Physics *physics)
{
    if (type != FLUID) {
        prescribe(f, type, y, physics);
        return;
    }
    const Real drho = sum(f), rho = 1.0f + drho;
    const Real ux = momentum_x(f) / rho, uy = momentum_y(f) / rho;
    for (int i = 0; i < 9; i++)
        f[i] += physics->omega * (equilibrium(i, drho, ux, uy) - f[i]) +
                3.0f * weight(i) * dot(i, physics->force_x, physics->force_y);
}

/** The relaxation time, 1/2 + sqrt(3)/4, at which this collision makes the parabola between two walls exact.
 */
#define BGK_WALL_TAU 0.93301270189221932

/** n, moved back to the other end of 0 .. size - 1 if it is one step outside. */
HD int wrap(int n, int size)
{
    return n < 0 ? n + size : n >= size ? n - size : n;
}

/**
 * Where population i that leaves cell (x, y) after the collision is one step later. Into a neighbour that is
 * not solid it simply moves (the grid is periodic). A wall half way to the neighbour sends it back to where
 * it came from, direction reversed (half-way bounce-back, wall density 1: Krueger et al. 2017, eq. 5.26).
 *
 * The same answer, read backwards, says where population opposite(i) of (x, y) comes from: what flies to the
 * east lands in the neighbour on the right, and from there comes what flies to the west.
 */
HD Landing boundary(const Physics *physics, const Cell *type, int x, int y, int i)
{
    const int nx = wrap(x + ex(i), physics->width), ny = wrap(y + ey(i), physics->height);
    const CellNumber width = physics->width, cell = y * width + x, neighbour = ny * width + nx;
    const int wall = is_wall(type[neighbour]);
    const Landing landing = {
        wall ? cell : neighbour,
        wall ? opposite(i) : i,
        type[neighbour] == MOVING_WALL ? physics->wall_gain[i] : 0.0f,
    };
    return landing;
}

#endif
