/**
 * @file body_force.c
 * What the body force of d2q9.h does to a flow across it, which the primer tells: it is carried along by the
 * velocity u - tau F instead of u. The form of Guo, Zheng & Shi 2002 (doi:10.1103/PhysRevE.65.046308) has no
 * such error.
 */
#include "lattice/d2q9.h"

#include "check.h"

#include <math.h>

enum { CELLS = 32, STEPS = 500 };
static const double force = 1e-4, tau = 0.8, pi = 3.14159265358979323846;

typedef void Collide(Real *f, const Physics *physics);

static void collide_here(Real *f, const Physics *physics)
{
    collide(f, FLUID, 0, physics);
}

/** Their eqs. (17) to (20), for a force along x. */
static void collide_guo(Real *f, const Physics *physics)
{
    const Moments m = moments(f, physics);
    const Real drho = sum(f), fx = physics->force_x;
    for (int i = 0; i < DIRECTIONS; i++) {
        const Real eu = dot(i, m.ux, m.uy);
        const Real push = weight(i) * (3 * (ex(i) - m.ux) + 9 * eu * ex(i)) * fx;
        f[i] += physics->omega * (equilibrium(i, drho, m.ux, m.uy) - f[i]) + (1 - physics->omega / 2) * push;
    }
}

/** How far, in cells, a wave of uy along x has moved when the force has turned its velocity from -u to u. */
static double shift(Collide *collide_one)
{
    const Physics physics = {.width = CELLS, .height = 1, .omega = 1 / tau, .force_x = force};
    const double k = 2 * pi / CELLS, start = -0.5 * force * STEPS;
    static Real f[CELLS][DIRECTIONS], next[CELLS][DIRECTIONS];
    for (int x = 0; x < CELLS; x++)
        for (int i = 0; i < DIRECTIONS; i++)
            f[x][i] = equilibrium(i, 0, start - 0.5 * force, 1e-3 * sin(k * x));
    for (int n = 0; n < STEPS; n++) {
        for (int x = 0; x < CELLS; x++) {
            collide_one(f[x], &physics);
            for (int i = 0; i < DIRECTIONS; i++)
                next[wrap(x + ex(i), CELLS)][i] = f[x][i];
        }
        memcpy(f, next, sizeof f);
    }
    double in_phase = 0.0, behind = 0.0;
    for (int x = 0; x < CELLS; x++) {
        in_phase += moments(f[x], &physics).uy * sin(k * x);
        behind -= moments(f[x], &physics).uy * cos(k * x);
    }
    return atan2(behind, in_phase) / k;
}

TEST(a_flow_across_a_force_is_carried_too_slowly_by_tau_times_the_force)
{
    EXPECT_NEAR(shift(collide_here) / (-tau * force * STEPS), 1.0, 0.01);
}

TEST(the_form_of_guo_carries_it_right)
{
    EXPECT_NEAR(shift(collide_guo) / (-tau * force * STEPS), 0.0, 0.01);
}
