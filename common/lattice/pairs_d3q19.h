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
 * -e have the sum 2 w (drho - 3/2 j.u + 9/2 (e.j) (e.u)) and the difference 2 w (3 e.j).
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
    const Real rest = drho - 1.5f * (jx * ux + jy * uy + jz * uz);

    const Real half = 0.5f * physics->omega;
    f[0] += physics->omega * (weight(0) * rest - f[0]);
    for (int n = 0; n < 9; n++) {
        const int i = 2 * n + 1;
        const Real j = dot(i, jx, jy, jz), u = dot(i, ux, uy, uz);
        const Pair towards = {2.0f * weight(i) * (rest + 4.5f * (j * u)), 2.0f * weight_over_cs2(i) * j};
        relax_pair(&f[i], &f[i + 1], now[n], towards, half,
                   weight_over_cs2(i) * dot(i, physics->force_x, physics->force_y, physics->force_z));
    }
}

#endif
