// build/drag_of_tau TAU...: how far the drag on a sphere is from theory, with one relaxation time (BGK) and
// with two (TRT). The sphere is one of an endless cubic array in creeping flow: a force drives the fluid
// through a periodic cube with a sphere in its middle. In double precision: rounding is not to be seen.
#include "flow/bodies.h"
#include "host/allocate.h"
#include "host/fail.h"
#include "lattice/d3q19.h"
#include "lattice/pair.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 20, CELLS = SIDE * SIDE * SIDE };
static const double pi = 3.14159265358979323846;

/** The drag on a sphere of an array that fills an eighth of space, over that on a sphere alone, 6 pi mu a u,
 * where u is the mean velocity (Zick & Homsy 1982, table 2). */
static const double zick_homsy = 4.292;

static double radius(void)
{
    return SIDE * cbrt(0.125 * 3.0 / (4.0 * pi));
}

typedef struct {
    Physics physics;
    CellType type[CELLS];
    int fluid; // cells
    long steps;
    Real f[2][CELLS * DIRECTIONS];   // after an even number of steps the first holds the populations
    size_t lands[CELLS][DIRECTIONS]; // where a step puts each population
} Array;

typedef void Collision(Real *f, const Physics *physics);

static void collide_bgk(Real *f, const Physics *physics)
{
    collide(f, FLUID, 0, physics);
}

/** The sums of opposite populations relax with tau, which sets the viscosity; the differences with the time
 * that makes (tau - 1/2) (tau_odd - 1/2) the magic number 3/16 (Ginzburg, Verhaeghe & d'Humieres 2008). */
static void collide_trt(Real *f, const Physics *physics)
{
    const Real drho = sum(f), rho = 1 + drho;
    const Real ux = momentum_x(f) / rho, uy = momentum_y(f) / rho, uz = momentum_z(f) / rho;
    const Real even = physics->omega, odd = 1 / (0.5 + 3.0 / 16.0 / (1 / even - 0.5));
    f[0] += even * (equilibrium(0, drho, ux, uy, uz) - f[0]);
    for (int i = 1; i < DIRECTIONS; i += 2) {
        const Pair now = pair_of(f[i], f[i + 1]);
        const Pair towards = pair_of(equilibrium(i, drho, ux, uy, uz), equilibrium(i + 1, drho, ux, uy, uz));
        const Real both = even / 2 * (towards.sum - now.sum);
        const Real more = odd / 2 * (towards.difference - now.difference) +
                          weight_over_cs2(i) * dot(i, physics->force_x, 0, 0);
        f[i] += both + more;
        f[i + 1] += both - more;
    }
}

/** An array at rest. The force is that at which theory gives the Reynolds number 0.01, of the mean velocity
 * and the diameter: inertia does not matter. */
static Array *create_array(double tau)
{
    Array *a = (Array *)allocate(sizeof *a);
    const double middle = 0.5 * (SIDE - 1), nu = (tau - 0.5) / 3.0;
    const Bodies bodies = {.count = 1, .body = {sphere(middle, middle, middle, radius())}};
    a->physics = (Physics){.width = SIDE, .height = SIDE, .depth = SIDE, .omega = 1.0 / tau};
    a->physics.force_x = zick_homsy * 3.0 * pi * nu * nu * 0.01 / CELLS;
    for (int row = 0; row < SIDE * SIDE; row++)
        place_bodies(&bodies, SIDE, (Position){0, row % SIDE, row / SIDE}, a->type + row * SIDE);
    for (int cell = 0; cell < CELLS; cell++) {
        const int x = cell % SIDE, y = cell / SIDE % SIDE, z = cell / (SIDE * SIDE);
        for (int i = 0; i < DIRECTIONS; i++) {
            const Destination to = boundary(&a->physics, a->type, x, y, z, i);
            a->lands[cell][i] = DIRECTIONS * (size_t)to.cell + to.direction;
        }
        a->fluid += !is_wall(a->type[cell]);
    }
    return a;
}

static void step(Array *a, Collision *collision)
{
    Real *from = a->f[a->steps % 2], *to = a->f[++a->steps % 2];
    for (int cell = 0; cell < CELLS; cell++) {
        Real *f = from + DIRECTIONS * cell;
        if (is_wall(a->type[cell]))
            continue;
        collision(f, &a->physics);
        for (int i = 0; i < DIRECTIONS; i++)
            to[a->lands[cell][i]] = f[i];
    }
}

/** The force on the sphere: twice the momentum of the populations that it sent back in the last step. */
static double force_on_sphere(const Array *a)
{
    double force = 0.0;
    for (int cell = 0; cell < CELLS; cell++)
        for (int i = 1; i < DIRECTIONS; i++) {
            const size_t own = DIRECTIONS * (size_t)cell + i;
            if (!is_wall(a->type[cell]) && a->lands[cell][opposite(i)] == own)
                force -= 2.0 * ex(i) * a->f[a->steps % 2][own];
        }
    return force;
}

static double mean_velocity(const Array *a)
{
    double sum_of_ux = 0.0;
    for (int cell = 0; cell < CELLS; cell++)
        if (!is_wall(a->type[cell]))
            sum_of_ux += moments(a->f[a->steps % 2] + DIRECTIONS * cell, &a->physics).ux;
    return sum_of_ux / CELLS;
}

/** How far the drag is from theory when the flow is steady, in percent. To the force on the sphere the drag
 * adds what would lift a sphere of fluid, as the driving force does not act on the solid cells. */
static double drag_off_percent(double tau, Collision *collision)
{
    Array *a = create_array(tau);
    const double nu = (tau - 0.5) / 3.0, driving = a->physics.force_x;
    while (a->steps < 250.0 / nu)
        step(a, collision);
    const double force = force_on_sphere(a), unbalanced = force / (driving * a->fluid) - 1.0;
    if (!(fabs(unbalanced) <= 1e-3))
        fail(EXIT_CHECK, "at tau %g the forces are out of balance by %g after %ld steps", tau, unbalanced,
             a->steps);
    const double alone = 6.0 * pi * nu * radius() * mean_velocity(a);
    const double drag = force + driving * (CELLS - a->fluid);
    free(a);
    return 100.0 * (drag / (zick_homsy * alone) - 1.0);
}

static double parse_tau(const char *text)
{
    char *end;
    const double tau = strtod(text, &end);
    if (!isdigit((unsigned char)*text) || *end || !(tau >= 0.505 && tau <= 10.0))
        fail(EXIT_USAGE, "TAU is \"%s\"; it takes a number from 0.505 to 10", text);
    return tau;
}

int main(int count, char **arguments)
{
    if (count < 2)
        fail(EXIT_USAGE, "usage: drag_of_tau TAU...");
    for (int n = 1; n < count; n++)
        parse_tau(arguments[n]);
    printf("# build/drag_of_tau");
    for (int n = 1; n < count; n++)
        printf(" %s", arguments[n]);
    printf(", double precision\n"
           "# drag on a sphere of a cubic array in creeping flow (Re 0.01), off from Zick & Homsy 1982\n"
           "# %d^3 cells, of which the sphere is to fill an eighth: a diameter of %.1f cells\n"
           "# BGK: one relaxation time; TRT: two, with the magic number 3/16\n"
           "tau,BGK_off_percent,TRT_off_percent\n",
           SIDE, 2.0 * radius());
    for (int n = 1; n < count; n++) {
        const double tau = parse_tau(arguments[n]);
        printf("%.7g,%.1f,%.1f\n", tau, drag_off_percent(tau, collide_bgk),
               drag_off_percent(tau, collide_trt));
        fflush(stdout);
    }
    return EXIT_GOOD;
}
