/**
 * @file pairs_d3q19.h
 * The collision of fluid on D3Q19 with less arithmetic: terms of opposite directions are computed once for
 * both. The names are those of pairs.h.
 */
#pragma once

#include "lattice/d3q19.h"
#include "lattice/pair.h"

/** Relaxes directions i and i + 1 towards populations of this sum and difference, and adds the force. */
HOST_DEVICE void relax_directions(Real *f, int i, Real sum, Real difference, const Physics *physics)
{
    const Pair towards = {sum, difference};
    relax_pair(&f[i], &f[i + 1], pair_of(f[i], f[i + 1]), towards, 0.5f * physics->omega,
               weight_over_cs2(i) * dot(i, physics->force_x, physics->force_y, physics->force_z));
}

/**
 * The same as collide() of FLUID, except for rounding. With the momentum j = rho u, the equilibria of e and
 * -e have the sum 2 w (drho - 3/2 j.u + 9/2 (e.j) (e.u)) and the difference 2 w (3 e.j). All directions but
 * the one at rest take a share of the density, and the diagonals one of the momentum; the others get what is
 * left, so that no rounded constant adds mass or momentum (docs/primer_lbm.md, "The last bit of a
 * constant"). The share of the density is not the nearest to 1/18, so that its rounding errors vary.
 */
HOST_DEVICE void collide_pairs(Real *f, const Physics *physics)
{
    const Real drho = sum(f), volume = 1.0f / (1.0f + drho);
    const Real jx = momentum_x(f), jy = momentum_y(f), jz = momentum_z(f);
    const Real ux = volume * jx, uy = volume * jy, uz = volume * jz;
    const Real xx = jx * ux, yy = jy * uy, zz = jz * uz;
    const Real rest = drho - 1.5f * (xx + yy + zz), w = (1.0f - 0x1p-22f) / 18.0f * rest;
    const Real in_xy = w + 0.25f * (xx + yy), in_xz = w + 0.25f * (xx + zz), in_yz = w + 0.25f * (yy + zz);
    const Real xy = 0.5f * (jx * uy), xz = 0.5f * (jx * uz), yz = 0.5f * (jy * uz);
    const Real axis = 2.0f * weight_over_cs2(1), x = jx - axis * jx, y = jy - axis * jy, z = jz - axis * jz;

    relax_directions(f, 7, in_xy + xy, 0.25f * (x + y), physics);
    relax_directions(f, 9, in_xy - xy, 0.25f * (x - y), physics);
    relax_directions(f, 11, in_xz + xz, 0.25f * (x + z), physics);
    relax_directions(f, 13, in_xz - xz, 0.25f * (x - z), physics);
    relax_directions(f, 15, in_yz + yz, 0.25f * (y + z), physics);
    relax_directions(f, 17, in_yz - yz, 0.25f * (y - z), physics);
    relax_directions(f, 1, 2.0f * w + 0.5f * xx, jx - x, physics);
    relax_directions(f, 3, 2.0f * w + 0.5f * yy, jy - y, physics);
    relax_directions(f, 5, 2.0f * w + 0.5f * zz, jz - z, physics);
    f[0] += physics->omega * ((rest - 12.0f * w) - f[0]);
}
