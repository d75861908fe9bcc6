/**
 * @file pairs_d3q19.h
 * The collision of fluid on D3Q19 with less arithmetic: terms of opposite directions are computed once for
 * both. The names are those of pairs.h.
 */
#ifndef PAIRS_D3Q19_H
#define PAIRS_D3Q19_H

#include "lattice/d3q19.h"
#include "lattice/pair.h"

/**
 * The same as collide() of FLUID, except for rounding. With the momentum j = rho u, the equilibria of e and
 * -e have the sum 2 w (drho - 3/2 j.u + 9/2 (e.j) (e.u)) and the difference 2 w (3 e.j). The diagonals take
 * a share of density and momentum; the other directions get the exact remainder, so that no rounded constant
 * adds mass or momentum (docs/primer_lbm.md, "The last bit of a constant").
 */
HOST_DEVICE void collide_pairs(Real *f, const Physics *physics)
{
    Pair now[9]; // of directions 1 and 2, 3 and 4, ...
    for (int n = 0; n < 9; n++)
        now[n] = pair_of(f[2 * n + 1], f[2 * n + 2]);
    const Real axes = (now[0].sum + now[1].sum) + now[2].sum;
    const Real diagonals =
        ((now[3].sum + now[4].sum) + (now[5].sum + now[6].sum)) + (now[7].sum + now[8].sum);
    const Real drho = f[0] + (axes + diagonals), volume = 1.0f / (1.0f + drho);
    const Real jx = momentum_x(f), jy = momentum_y(f), jz = momentum_z(f);
    const Real ux = volume * jx, uy = volume * jy, uz = volume * jz;
    const Real xx = jx * ux, yy = jy * uy, zz = jz * uz, xy = jx * uy, xz = jx * uz, yz = jy * uz;

    const Real rest = drho - 1.5f * (xx + yy + zz), m = weight_over_cs2(1);
    const Real w = (1.0f - 0x1p-22f) / 18.0f * rest; // not the nearest to 1/18: the rounding errors vary
    const Real x = jx - 2.0f * m * jx, y = jy - 2.0f * m * jy, z = jz - 2.0f * m * jz;
    const Real in_xy = w + 0.25f * (xx + yy), in_xz = w + 0.25f * (xx + zz), in_yz = w + 0.25f * (yy + zz);
    const Pair towards[9] = {
        {2.0f * w + 0.5f * xx, jx - x         },
        {2.0f * w + 0.5f * yy, jy - y         },
        {2.0f * w + 0.5f * zz, jz - z         },
        {in_xy + 0.5f * xy,    0.25f * (x + y)},
        {in_xy - 0.5f * xy,    0.25f * (x - y)},
        {in_xz + 0.5f * xz,    0.25f * (x + z)},
        {in_xz - 0.5f * xz,    0.25f * (x - z)},
        {in_yz + 0.5f * yz,    0.25f * (y + z)},
        {in_yz - 0.5f * yz,    0.25f * (y - z)}
    };

    f[0] += physics->omega * ((rest - 12.0f * w) - f[0]);
    for (int n = 0; n < 9; n++) {
        const int i = 2 * n + 1;
        relax_pair(&f[i], &f[i + 1], now[n], towards[n], 0.5f * physics->omega,
                   weight_over_cs2(i) * dot(i, physics->force_x, physics->force_y, physics->force_z));
    }
}

#endif
