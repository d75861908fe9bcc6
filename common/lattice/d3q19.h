/**
 * @file d3q19.h
 * The physics of a flow in space: the D3Q19 lattice, the BGK collision, the boundary rule and the moments.
 * Host and device code, C and CUDA C. All quantities are in lattice units. The names are those of d2q9.h, in
 * the same order, so that a diff of the two files shows what the third dimension changes.
 *
 * Directions in the planes z = -1, 0 and 1 (x points right, y up). Each odd direction and the next one are
 * opposite:
 *
 *        17           10  3  7           15
 *     12  6 13         2  0  1        14  5 11
 *        16            8  4  9           18
 *
 * Populations are stored shifted, f_i - w_i: fluid at rest is all zeros, and single precision keeps the
 * digits that matter (Lehmann et al. 2022, Phys. Rev. E 106, 015308). Below, "f" always means shifted.
 */
#pragma once

#include "lattice/cell.h"

/** Populations of a cell: one for each direction. */
enum { DIRECTIONS = 19 };

/** x component of the lattice velocity e_i. */
HOST_DEVICE int ex(int i)
{
    const int table[19] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
    return table[i];
}

/** y component of the lattice velocity e_i. */
HOST_DEVICE int ey(int i)
{
    const int table[19] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
    return table[i];
}

/** z component of the lattice velocity e_i. */
HOST_DEVICE int ez(int i)
{
    const int table[19] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
    return table[i];
}

/** Lattice weight w_i. */
HOST_DEVICE Real weight(int i)
{
    return i == 0 ? (Real)1 / 3 : i < 7 ? (Real)1 / 18 : (Real)1 / 36;
}

/**
 * w_i / c_s^2 = 3 w_i, the share of the momentum that direction i receives: 1/6 or 1/12. Two sums must be
 * exact, or rounding would add momentum and mass in every step: 3 w_i e_ix e_ix adds up to 1, 3 w_i to 3.
 * In float 1/12 has only 19 bits and 1/6 only 18, so that the rounding errors of products with them cancel
 * (docs/primer_lbm.md, "The last bit of a constant").
 */
HOST_DEVICE Real weight_over_cs2(int i)
{
    const Real diagonal = sizeof(Real) == sizeof(float) ? (Real)0x1.55554p-4 : (Real)1 / 12;
    const Real axis = (1 - 8 * diagonal) / 2;
    return i == 0 ? 3 - (6 * axis + 12 * diagonal) : i < 7 ? axis : diagonal;
}

/** The direction that points the other way. */
HOST_DEVICE int opposite(int i)
{
    const int table[19] = {0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15, 18, 17};
    return table[i];
}

/** e_i . (x, y, z), written out: a compiler may not drop the products with 0 (they could be NaN). */
HOST_DEVICE Real dot(int i, Real x, Real y, Real z)
{
    switch (i) {
    case 1:
        return x;
    case 2:
        return -x;
    case 3:
        return y;
    case 4:
        return -y;
    case 5:
        return z;
    case 6:
        return -z;
    case 7:
        return x + y;
    case 8:
        return -x - y;
    case 9:
        return x - y;
    case 10:
        return y - x;
    case 11:
        return x + z;
    case 12:
        return -x - z;
    case 13:
        return x - z;
    case 14:
        return z - x;
    case 15:
        return y + z;
    case 16:
        return -y - z;
    case 17:
        return y - z;
    case 18:
        return z - y;
    default:
        return 0.0f;
    }
}

/**
 * Equilibrium of direction i for the density 1 + drho and the velocity (ux, uy, uz), terms ordered as in
 * Lehmann et al. 2022, eq. (3), so that small numbers are added before large ones.
 */
HOST_DEVICE Real equilibrium(int i, Real drho, Real ux, Real uy, Real uz)
{
    const Real eu = dot(i, ux, uy, uz), uu = ux * ux + uy * uy + uz * uz;
    return weight(i) * drho + weight_over_cs2(i) * ((1.0f + drho) * (1.5f * eu * eu - 0.5f * uu + eu));
}

/** Sets all populations of a cell to their equilibrium. */
HOST_DEVICE void set_equilibrium(Real *f, Moments at)
{
    for (int i = 0; i < DIRECTIONS; i++)
        f[i] = equilibrium(i, at.drho, at.ux, at.uy, at.uz);
}

/**
 * Sets all populations of a cell to what they are before the collision in a flow that changes slowly: their
 * equilibrium, and -3 tau w_i rho (e_i e_i - I / 3) : grad u, by which the gradient of the velocity keeps
 * them from it (Krueger et al. 2017, section 5.5; docs/why_it_works.md).
 */
HOST_DEVICE void set_near_equilibrium(Real *f, Moments at, const Gradient *du, const Physics *physics)
{
    const Real scale = -(1.0f + at.drho) / physics->omega,
               third = (du->u[0][0] + du->u[1][1] + du->u[2][2]) / 3.0f;
    set_equilibrium(f, at);
    if (!changes_slowly(du, physics->omega))
        return;
    for (int i = 0; i < DIRECTIONS; i++) {
        const Real x = dot(i, du->u[0][0], du->u[0][1], du->u[0][2]);
        const Real y = dot(i, du->u[1][0], du->u[1][1], du->u[1][2]);
        const Real z = dot(i, du->u[2][0], du->u[2][1], du->u[2][2]);
        f[i] += scale * weight_over_cs2(i) * (dot(i, x, y, z) - third);
    }
}

/** Density minus one: the sum of the populations f[19]. */
HOST_DEVICE Real sum(const Real *f)
{
    return f[0] + (((f[1] + f[2]) + (f[3] + f[4])) + (f[5] + f[6])) +
           ((((f[7] + f[8]) + (f[9] + f[10])) + ((f[11] + f[12]) + (f[13] + f[14]))) +
            ((f[15] + f[16]) + (f[17] + f[18])));
}

/** Momentum along x: the sum of e_ix f_i. */
HOST_DEVICE Real momentum_x(const Real *f)
{
    return (f[1] - f[2]) + (((f[7] - f[8]) + (f[9] - f[10])) + ((f[11] - f[12]) + (f[13] - f[14])));
}

/** Momentum along y: the sum of e_iy f_i. */
HOST_DEVICE Real momentum_y(const Real *f)
{
    return (f[3] - f[4]) + (((f[7] - f[8]) + (f[10] - f[9])) + ((f[15] - f[16]) + (f[17] - f[18])));
}

/** Momentum along z: the sum of e_iz f_i. */
HOST_DEVICE Real momentum_z(const Real *f)
{
    return (f[5] - f[6]) + (((f[11] - f[12]) + (f[14] - f[13])) + ((f[15] - f[16]) + (f[18] - f[17])));
}

/** Flow of x momentum along y: the sum of e_ix e_iy f_i. */
HOST_DEVICE Real momentum_flux_xy(const Real *f)
{
    return (f[7] + f[8]) - (f[9] + f[10]);
}

/** Flow of x momentum along z: the sum of e_ix e_iz f_i. */
HOST_DEVICE Real momentum_flux_xz(const Real *f)
{
    return (f[11] + f[12]) - (f[13] + f[14]);
}

/** Density less 1 and velocity of the populations f[19], with half a step of the body force. */
HOST_DEVICE Moments moments(const Real *f, const Physics *physics)
{
    const Real drho = sum(f), rho = 1.0f + drho;
    const Moments result = {
        drho,
        (momentum_x(f) + 0.5f * physics->force_x) / rho,
        (momentum_y(f) + 0.5f * physics->force_y) / rho,
        (momentum_z(f) + 0.5f * physics->force_z) / rho,
    };
    return result;
}

/**
 * Sets f[19] of an open boundary cell with this y to an equilibrium, of density 1 unless stated otherwise.
 * Open cells take the prescribed velocity, which has no z component. Inflow cells, at the left end, take that
 * velocity and the density that follows from it and from the fourteen populations that come from the fluid
 * (Zou & He 1997); the other five have e_ix = 1, so that moments weighted by 1 - e_ix do not include them.
 * Outflow cells, at the right end, take their velocity from the fluid, by moments weighted by 1 + e_ix, but
 * only half of the parts across the stream: with all of them, neighbours amplify each other's oscillations at
 * small viscosity.
 */
HOST_DEVICE void impose_boundary(Real *f, CellType type, int y, const Physics *physics)
{
    const Real d = (Real)y - physics->open_centre;
    const Real profile = 1.0f - physics->open_curvature * d * d;
    Real drho = 0.0f, ux = profile * physics->open_x, uy = profile * physics->open_y, uz = 0.0f;
    if (type == INFLOW)
        drho = (sum(f) - momentum_x(f) + ux) / (1.0f - ux);
    if (type == OUTFLOW) {
        ux = sum(f) + momentum_x(f);
        uy = 0.5f * (momentum_y(f) + momentum_flux_xy(f)) / (1.0f + ux);
        uz = 0.5f * (momentum_z(f) + momentum_flux_xz(f)) / (1.0f + ux);
    }
    for (int i = 0; i < 19; i++)
        f[i] = equilibrium(i, drho, ux, uy, uz);
}

/**
 * Collides the populations f[19] of one cell in place. Fluid relaxes towards equilibrium (BGK) and takes up
 * the body force: f* = f + omega (feq - f) + 3 w_i (e_i . F). Open boundary
 * cells are set to the prescribed equilibrium.
 *
 * The equilibrium takes the velocity without half of the force, and no term corrects the flux of momentum for
 * this. It is of second order where a uniform force drives a flow of one direction, as in the channel; a flow
 * that changes along the force is advected with u - tau F (tests/body_force.c). A force that changes in space
 * or time needs collide_with_force.
 */
HOST_DEVICE void collide(Real *f, CellType type, int y, const Physics *physics)
{
    if (type != FLUID) {
        impose_boundary(f, type, y, physics);
        return;
    }
    const Real drho = sum(f), rho = 1.0f + drho;
    const Real ux = momentum_x(f) / rho, uy = momentum_y(f) / rho, uz = momentum_z(f) / rho;
    for (int i = 0; i < 19; i++)
        f[i] += physics->omega * (equilibrium(i, drho, ux, uy, uz) - f[i]) +
                weight_over_cs2(i) * dot(i, physics->force_x, physics->force_y, physics->force_z);
}

/**
 * Collides fluid with a force (x, y, z) that may change in space and time, and sets its velocity u[3] in the
 * middle of the collision: the form of Guo, Zheng & Shi 2002, Phys. Rev. E 65, 046308. There is no body force.
 */
HOST_DEVICE void collide_with_force(Real *f, const Real *force, Real *u, const Physics *physics)
{
    const Real drho = sum(f), rho = 1.0f + drho, part = 1.0f - 0.5f * physics->omega;
    u[0] = (momentum_x(f) + 0.5f * force[0]) / rho;
    u[1] = (momentum_y(f) + 0.5f * force[1]) / rho;
    u[2] = (momentum_z(f) + 0.5f * force[2]) / rho;
    const Real power = u[0] * force[0] + u[1] * force[1] + u[2] * force[2];
    for (int i = 0; i < 19; i++) {
        const Real eu = dot(i, u[0], u[1], u[2]), along = dot(i, force[0], force[1], force[2]);
        f[i] += physics->omega * (equilibrium(i, drho, u[0], u[1], u[2]) - f[i]) +
                part * weight_over_cs2(i) * (along + 3.0f * eu * along - power);
    }
}

/** The relaxation time, 1/2 + sqrt(3)/4, at which the parabola between two walls is exact. */
#define BGK_MAGIC_TAU 0.93301270189221932

/**
 * The place of population i of cell (x, y, z) one step after it leaves the cell. It moves into a neighbour
 * that is not solid (the grid is periodic). A wall half way to the neighbour sends it back to its cell, with
 * the direction reversed (half-way bounce-back, wall density 1: Krueger et al. 2017, eq. 5.26).
 *
 * The same place, read backwards, is that from which population opposite(i) of (x, y, z) comes: a population
 * that moves east lands in the neighbour on the right, and the one that moves west comes from there.
 */
HOST_DEVICE Destination boundary(const Physics *physics, const CellType *type, int x, int y, int z, int i)
{
    const int nx = wrap(x + ex(i), physics->width), ny = wrap(y + ey(i), physics->height);
    const int nz = wrap(z + ez(i), physics->depth);
    const CellNumber width = physics->width, height = physics->height;
    const CellNumber cell = (z * height + y) * width + x, neighbour = (nz * height + ny) * width + nx;
    const int wall = is_wall(type[neighbour]);
    const Destination destination = {
        wall ? cell : neighbour,
        wall ? opposite(i) : i,
        type[neighbour] == MOVING_WALL ? physics->wall_gain[i] : 0.0f,
    };
    return destination;
}
