// Prints where the energy of decaying vortices ends for two ways to get the density minus one: the sum of the
// stored populations, as in d2q9.h, and (1 + sum) - 1, which rounds that sum to the last bit of 1.
#include "flow/scenario.h"
#include "host/allocate.h"
#include "lattice/d2q9.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

/** The equilibrium with the terms as in Lehmann et al. 2022, eq. (3). */
static Real shifted_equilibrium(int i, Real drho, Real ux, Real uy)
{
    const Real eu = dot(i, ux, uy);
    return weight(i) * ((1.0f + drho) * (4.5f * eu * eu - 1.5f * (ux * ux + uy * uy) + 3.0f * eu) + drho);
}

/** One cell collides as in d2q9.h, but for the order of terms; what differs is `drho`. */
static void collide_in(Real *f, const Physics *physics, int rounded)
{
    const Real rho = 1.0f + sum(f), drho = rounded ? rho - 1.0f : sum(f);
    const Real ux = momentum_x(f) / rho, uy = momentum_y(f) / rho;
    for (int i = 0; i < DIRECTIONS; i++)
        f[i] += physics->omega * (shifted_equilibrium(i, drho, ux, uy) - f[i]);
}

static void step(const Scenario *s, const Real *from, Real *to, int rounded)
{
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            Real f[DIRECTIONS];
            for (int i = 0; i < DIRECTIONS; i++)
                f[i] = from[DIRECTIONS * ((size_t)y * s->width + x) + i];
            collide_in(f, &s->physics, rounded);
            for (int i = 0; i < DIRECTIONS; i++)
                to[DIRECTIONS * boundary(&s->physics, s->type, x, y, i).cell + i] = f[i];
        }
}

static double energy(const Scenario *s, const Real *f)
{
    double result = 0.0;
    for (size_t cell = 0; cell < cell_count(s); cell++) {
        const Moments m = moments(f + DIRECTIONS * cell, &s->physics);
        result += 0.5 * (1.0 + m.drho) * ((double)m.ux * m.ux + (double)m.uy * m.uy);
    }
    return result;
}

/** The energy over that of the start after sixty times the time in which the velocity falls to 1/e: a mean
 * over the last three of these times. The solution is at e^-120 then. */
static double plateau(int size, int rounded)
{
    const Parameters parameters = {.width = size, .height = size, .tau = 1.0, .u = 0.25};
    Scenario s = create_scenario(find_flow("taylor_green"), parameters);
    const size_t bytes = DIRECTIONS * cell_count(&s) * sizeof(Real);
    Real *f = allocate(bytes), *next = allocate(bytes);
    initial_populations(&s, f);
    const double first = energy(&s, f);
    const int decay = (int)s.flow->duration(&s);
    double sum_of_energies = 0.0;
    for (int n = 0; n < 60 * decay; n++) {
        step(&s, f, next, rounded);
        Real *swap = f;
        f = next;
        next = swap;
        if (n >= 57 * decay)
            sum_of_energies += energy(&s, f);
    }
    free(next);
    free(f);
    destroy_scenario(&s);
    return sum_of_energies / (3 * decay) / first;
}

int main(void)
{
    static const int sizes[] = {16, 24, 32, 40, 48};
    const int count = sizeof sizes / sizeof *sizes;
    const double epsilon = sizeof(Real) == sizeof(double) ? DBL_EPSILON : FLT_EPSILON;
    printf(
        "# build/formats_plateau and build/formats_plateau_double: vortices at tau 1 and a speed of 0.25\n"
        "# energy on which they end, over that of the start. apart: the density minus one is the sum of the\n"
        "# populations; rounded: it is (1 + sum) - 1\n"
        "arithmetic,size,epsilon_squared,apart,rounded\n");
    for (int n = 0; n < count; n++)
        printf("%s,%d,%.1e,%.1e,%.1e\n", sizeof(Real) == sizeof(double) ? "fp64" : "fp32", sizes[n],
               epsilon * epsilon, plateau(sizes[n], 0), plateau(sizes[n], 1));
    return 0;
}
