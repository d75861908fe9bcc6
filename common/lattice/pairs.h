/**
 * @file pairs.h
 * The collision of fluid with less arithmetic: terms of opposite directions are computed once for both.
 */
#pragma once

#include "lattice/d2q9.h"
#include "lattice/pair.h"

/**
 * The same as collide() of FLUID, except for rounding. With the momentum j = rho u, the equilibria of e and
 * -e have the sum 2 w (drho - 3/2 j.u + 9/2 (e.j) (e.u)) and the difference 2 w (3 e.j).
 */
HOST_DEVICE void collide_pairs(Real *f, const Physics *physics)
{
    const Pair a = pair_of(f[1], f[3]), b = pair_of(f[2], f[4]);
    const Pair c = pair_of(f[5], f[7]), d = pair_of(f[8], f[6]);
    const Real drho = f[0] + ((a.sum + b.sum) + (c.sum + d.sum)), volume = 1.0f / (1.0f + drho);
    const Real jx = a.difference + (c.difference + d.difference);
    const Real jy = b.difference + (c.difference - d.difference);

    const Real xx = jx * (volume * jx), yy = jy * (volume * jy), cross = 9.0f * (jx * (volume * jy));
    const Real axis = drho - 1.5f * (xx + yy), diagonal = drho + 3.0f * (xx + yy);
    const Real w1 = 2.0f * weight(1), w5 = 2.0f * weight(5);
    const Real m1 = weight_over_cs2(1), m5 = weight_over_cs2(5);
    const Pair to_a = {w1 * (axis + 4.5f * xx), 2.0f * m1 * jx};
    const Pair to_b = {w1 * (axis + 4.5f * yy), 2.0f * m1 * jy};
    const Pair to_c = {w5 * (diagonal + cross), 2.0f * m5 * (jx + jy)};
    const Pair to_d = {w5 * (diagonal - cross), 2.0f * m5 * (jx - jy)};

    const Real half = 0.5f * physics->omega, fx = physics->force_x, fy = physics->force_y;
    f[0] += physics->omega * (weight(0) * axis - f[0]);
    relax_pair(&f[1], &f[3], a, to_a, half, m1 * fx);
    relax_pair(&f[2], &f[4], b, to_b, half, m1 * fy);
    relax_pair(&f[5], &f[7], c, to_c, half, m5 * (fx + fy));
    relax_pair(&f[8], &f[6], d, to_d, half, m5 * (fx - fy));
}

/** The same as collide() of any type, except for rounding. */
HOST_DEVICE void collide_in_pairs(Real *f, CellType type, int y, const Physics *physics)
{
    if (type == FLUID)
        collide_pairs(f, physics);
    else
        impose_boundary(f, type, y, physics);
}
