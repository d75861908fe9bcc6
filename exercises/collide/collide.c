// Equilibrium and collision of one cell.
#include "lattice/d2q9.h"

// Equilibrium population of direction i, shifted by w_i, for the density 1 + drho and the velocity (ux, uy).
static float my_equilibrium(int i, float drho, float ux, float uy)
{
    const float eu = dot(i, ux, uy), uu = ux * ux + uy * uy;
    // TODO(1): the formula of the README, minus the shift
    return 0.0f * (drho + eu + uu);
}

// Collides the nine shifted populations of one cell in place (BGK, no force).
static void my_collide(float f[9], float omega)
{
    // TODO(2): density and velocity of the cell, from sum(f), momentum_x(f) and momentum_y(f)
    const float drho = 0.0f, ux = 0.0f, uy = 0.0f;

    for (int i = 0; i < 9; i++) {
        const float target = my_equilibrium(i, drho, ux, uy);
        // TODO(3): move f[i] towards the target
        f[i] += 0.0f * omega * target;
    }
}
