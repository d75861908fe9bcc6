// The flow across a duct that lattices of 19 and of 27 velocities show, where the exact flow is straight. In
// double precision, so that rounding is not to be seen. The flow does not change along x: one cell along x is
// enough.
#include "host/allocate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 27 };
static const double pi = 3.14159265358979323846;

typedef struct {
    int directions, e[MOST][3], opposite[MOST];
    double weight[MOST];
} VelocitySet;

/** All velocities with components -1, 0 and 1, of which at most `most` are not 0; the weights by how many. */
static VelocitySet velocities(int most, const double weights[4])
{
    VelocitySet set = {0};
    for (int n = 0; n < 27; n++) {
        const int e[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1}, moving = abs(e[0]) + abs(e[1]) + abs(e[2]);
        if (moving > most)
            continue;
        for (int axis = 0; axis < 3; axis++)
            set.e[set.directions][axis] = e[axis];
        set.weight[set.directions++] = weights[moving];
    }
    for (int i = 0; i < set.directions; i++) // the order is that of a number in base 3
        set.opposite[i] = set.directions - 1 - i;
    return set;
}

/** Collides the populations of a cell (BGK, a force along x), and finds its velocity before. */
static void collide_cell(const VelocitySet *set, double *f, double omega, double force, double u[3])
{
    double drho = 0.0, j[3] = {0.0};
    for (int i = 0; i < set->directions; i++) {
        drho += f[i];
        for (int axis = 0; axis < 3; axis++)
            j[axis] += set->e[i][axis] * f[i];
    }
    for (int axis = 0; axis < 3; axis++)
        u[axis] = j[axis] / (1.0 + drho);
    const double uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    for (int i = 0; i < set->directions; i++) {
        const double eu = set->e[i][0] * u[0] + set->e[i][1] * u[1] + set->e[i][2] * u[2];
        const double equilibrium =
            set->weight[i] * (drho + 3.0 * (1.0 + drho) * (eu + 1.5 * eu * eu - 0.5 * uu));
        f[i] += omega * (equilibrium - f[i]) + 3.0 * set->weight[i] * set->e[i][0] * force;
    }
}

/** Makes a step in a square duct of size x size cells between the walls; finds the fastest flow along and
 * across. */
static void make_step(const VelocitySet *set, int size, double tau, double force, double *from, double *to,
                      double fastest[2])
{
    fastest[0] = fastest[1] = 0.0;
    for (int cell = 0; cell < size * size; cell++) {
        const int y = cell % size, z = cell / size;
        double *f = from + MOST * cell, u[3];
        collide_cell(set, f, 1.0 / tau, force, u);
        fastest[0] = fmax(fastest[0], u[0] + 0.5 * force); // as `moments` of d3q19.h
        fastest[1] = fmax(fastest[1], hypot(u[1], u[2]));
        for (int i = 0; i < set->directions; i++) {
            const int ny = y + set->e[i][1], nz = z + set->e[i][2];
            const int wall = ny < 0 || ny >= size || nz < 0 || nz >= size;
            to[MOST * (wall ? cell : nz * size + ny) + (wall ? set->opposite[i] : i)] = f[i];
        }
    }
}

/** Runs a duct until 1/e^12 of what it must still change is left, as the flow `duct` does. */
static void run_duct(const VelocitySet *set, int size, double tau, double u)
{
    const double nu = (tau - 0.5) / 3.0, force = nu * u / (0.073671 * size * size); // White 2006, eq. 3-48
    const size_t bytes = sizeof(double) * MOST * (size_t)(size * size);
    double *now = (double *)allocate(bytes), *next = (double *)allocate(bytes), fastest[2];
    for (size_t n = 0; n < bytes / sizeof *now; n++)
        now[n] = 0.0;
    const int steps = (int)(12.0 / (2.0 * nu * pi * pi) * size * size);
    for (int n = 0; n < steps; n++) {
        make_step(set, size, tau, force, now, next, fastest);
        double *const swap = now;
        now = next;
        next = swap;
    }
    printf("D3Q%d,%d,%g,%g,%.5f,", set->directions, size + 2, tau, u, fastest[0]);
    if (fastest[1] < 1e-12 * fastest[0])
        printf("0\n");
    else
        printf("%.2e\n", fastest[1] / fastest[0]);
    free(now);
    free(next);
}

int main(void)
{
    const VelocitySet sets[2] = {
        velocities(2, (const double[4]){1.0 / 3.0, 1.0 / 18.0, 1.0 / 36.0, 0.0}),
        velocities(3, (const double[4]){8.0 / 27.0, 2.0 / 27.0, 1.0 / 54.0, 1.0 / 216.0}),
    };
    printf("# build/cross_flow: a square duct, steady, driven by a force along x; double precision, BGK\n"
           "# size: cells from wall to wall, walls included; speed: the fastest along the duct\n"
           "# share: the fastest flow across the duct over that; 0 stands for less than 1e-12\n"
           "lattice,size,tau,u,speed,share\n");
    for (int k = 0; k < 2; k++) {
        run_duct(&sets[k], 8, 0.933, 0.05);
        run_duct(&sets[k], 16, 0.933, 0.05);
        run_duct(&sets[k], 16, 0.933, 0.025);
    }
    return 0;
}
