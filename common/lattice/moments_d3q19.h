/**
 * @file moments_d3q19.h
 * The regularized collision of D3Q19 in moments. What it keeps of the 19 populations that arrive in a cell is
 * nine numbers; density, momentum and second moments determine all populations after the collision.
 */
#pragma once

#include "lattice/d3q19.h"

#include <math.h>

/** The moments m[MOMENTS] of the populations that have arrived in a cell: density - 1, momentum, and of the
 * second moments xx - zz, yy - zz, xy, xz and yz. */
enum { DRHO, JX, JY, JZ, XX_ZZ, YY_ZZ, XY, XZ, YZ, MOMENTS };

/**
 * A cell after its collision, as the numbers of which its populations are sums: a twelfth of the population
 * at rest; in the planes xy, xz and yz the mean of the four diagonal ones, and by how much those along the
 * diagonal on which both components have the same sign exceed that mean; momentum.
 */
typedef struct {
    Real rest, mean[3], excess[3], jx, jy, jz;
} Collided;

/** The moments m[MOMENTS] of the populations f[19]. */
HOST_DEVICE void sum_moments(Real *m, const Real *f)
{
    const Real in_xy = (f[7] + f[8]) + (f[9] + f[10]), in_xz = (f[11] + f[12]) + (f[13] + f[14]);
    const Real in_yz = (f[15] + f[16]) + (f[17] + f[18]), along_z = f[5] + f[6];
    m[DRHO] = sum(f);
    m[JX] = momentum_x(f);
    m[JY] = momentum_y(f);
    m[JZ] = momentum_z(f);
    m[XX_ZZ] = ((f[1] + f[2]) - along_z) + (in_xy - in_yz);
    m[YY_ZZ] = ((f[3] + f[4]) - along_z) + (in_xy - in_xz);
    m[XY] = momentum_flux_xy(f);
    m[XZ] = momentum_flux_xz(f);
    m[YZ] = (f[15] + f[16]) - (f[17] + f[18]);
}

/** Sets m[MOMENTS] of an open boundary cell to those of the equilibrium of impose_boundary() of d3q19.h. */
HOST_DEVICE void impose_boundary_moments(Real *m, CellType type, int y, const Physics *physics)
{
    const Real d = (Real)y - physics->open_centre;
    const Real profile = 1.0f - physics->open_curvature * d * d;
    Real drho = 0.0f, ux = profile * physics->open_x, uy = profile * physics->open_y, uz = 0.0f;
    if (type == INFLOW)
        drho = (m[DRHO] - m[JX] + ux) / (1.0f - ux);
    if (type == OUTFLOW) {
        ux = m[DRHO] + m[JX];
        uy = 0.5f * (m[JY] + m[XY]) / (1.0f + ux);
        uz = 0.5f * (m[JZ] + m[XZ]) / (1.0f + ux);
    }
    const Real rho = 1.0f + drho;
    m[DRHO] = drho;
    m[JX] = rho * ux;
    m[JY] = rho * uy;
    m[JZ] = rho * uz;
    m[XX_ZZ] = rho * (ux * ux - uz * uz);
    m[YY_ZZ] = rho * (uy * uy - uz * uz);
    m[XY] = rho * (ux * uy);
    m[XZ] = rho * (ux * uz);
    m[YZ] = rho * (uy * uz);
}

/**
 * Collides the moments m[MOMENTS] that have arrived in a cell. Density is conserved, momentum takes up the
 * body force. The five second moments relax with omega (Latt & Chopard 2006); the trace xx + yy + zz relaxes
 * fully, so that it needs no number of its own. Open boundary cells are set to the prescribed equilibrium.
 * along_x is half of what the two populations along x share; z gets the remainder, so that no rounded
 * constant adds mass (docs/primer_lbm.md, "The last bit of a constant").
 */
HOST_DEVICE Collided collide_moments(const Real *m, CellType type, int y, const Physics *physics)
{
    Real n[MOMENTS];
    for (int i = 0; i < MOMENTS; i++)
        n[i] = m[i];
    if (type != FLUID)
        impose_boundary_moments(n, type, y, physics);
    const Real omega = physics->omega, keep = 1.0f - omega, volume = 1.0f / (1.0f + n[DRHO]);
    const Real ux = n[JX] * volume, uy = n[JY] * volume, uz = n[JZ] * volume;
    const Real trace = n[JX] * ux + n[JY] * uy + n[JZ] * uz;
    const Real xx_zz = keep * n[XX_ZZ] + omega * (n[JX] * ux - n[JZ] * uz);
    const Real yy_zz = keep * n[YY_ZZ] + omega * (n[JY] * uy - n[JZ] * uz);
    const Real w = weight(7) * n[DRHO], rest = w - (1.0f / 24.0f) * trace, base = 3.0f * w - rest;
    const Real along_x = w + (1.0f / 24.0f) * (2.0f * xx_zz - yy_zz);
    const Real along_y = w + (1.0f / 24.0f) * (2.0f * yy_zz - xx_zz);
    Collided after;
    after.rest = rest;
    after.mean[0] = base - (3.0f * w - along_x - along_y);
    after.mean[1] = base - along_y;
    after.mean[2] = base - along_x;
    after.excess[0] = 0.25f * (keep * n[XY] + omega * (n[JX] * uy));
    after.excess[1] = 0.25f * (keep * n[XZ] + omega * (n[JX] * uz));
    after.excess[2] = 0.25f * (keep * n[YZ] + omega * (n[JY] * uz));
    after.jx = n[JX] + (type == FLUID ? physics->force_x : 0.0f);
    after.jy = n[JY] + (type == FLUID ? physics->force_y : 0.0f);
    after.jz = n[JZ] + (type == FLUID ? physics->force_z : 0.0f);
    return after;
}

/** a b + c, rounded once. */
HOST_DEVICE Real fused(Real a, Real b, Real c)
{
    return (Real)(sizeof(Real) == sizeof(float) ? fmaf((float)a, (float)b, (float)c) : fma(a, b, c));
}

/**
 * Population i after the collision: w_i (drho + 9/2 (e_i e_i - I/3) : a) + 3 w_i (e_i . j), where a has the
 * second moments without the pressure drho / 3. In these, excess[0] is a_xy / 4, and mean[0] is
 * drho / 36 + (a_xx + a_yy) / 8 less a 24th of the trace. The product with the momentum is not rounded, as
 * its rounding errors would add up.
 */
HOST_DEVICE Real population(const Collided *c, int i)
{
    const Real share = weight_over_cs2(i), j = dot(i, c->jx, c->jy, c->jz);
    if (i == 0)
        return 12.0f * c->rest;
    if (i < 7) {
        const int other = 2 - (i - 1) / 2; // the plane without that axis
        return fused(share, j,
                     c->rest + ((c->mean[(other + 1) % 3] + c->mean[(other + 2) % 3]) - c->mean[other]));
    }
    const int plane = (i - 7) / 4, same_sign = (i - 7) % 4 < 2;
    return fused(share, j, same_sign ? c->mean[plane] + c->excess[plane] : c->mean[plane] - c->excess[plane]);
}
