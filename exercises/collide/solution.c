// Equilibrium and collision of one cell.
#include "lattice/d2q9.h"

// Equilibrium population of direction i, shifted by w_i, for the density 1 + drho and the velocity (ux, uy).
static float my_equilibrium(int i, float drho, float ux, float uy)
{
    const float eu = dot(i, ux, uy), uu = ux * ux + uy * uy;
    return weight(i) * ((1.0f + drho) * (3.0f * eu + 4.5f * eu * eu - 1.5f * uu) + drho);
}

// Collides the nine shifted populations of one cell in place (BGK, no force).
static void my_collide(float f[9], float omega)
{
    const float drho = sum(f), ux = momentum_x(f) / (1.0f + drho), uy = momentum_y(f) / (1.0f + drho);

    for (int i = 0; i < 9; i++) {
        const float target = my_equilibrium(i, drho, ux, uy);
        f[i] += omega * (target - f[i]);
    }
}
