#include "check_exercise.h"

#include EXERCISE

static void expect_equilibrium(float drho, float ux, float uy)
{
    for (int i = 0; i < 9; i++) {
        const float expected = equilibrium(i, drho, ux, uy), got = my_equilibrium(i, drho, ux, uy);
        if (!(fabsf(got - expected) <= 3e-7f))
            wrong(
                "first wrong equilibrium: direction %s at density %g, velocity (%g, %g): expected %.4g, got "
                "%.4g (shifted: w_i is taken off)",
                direction_name(i), 1.0 + drho, ux, uy, expected, got);
    }
}

static const float cell[9] = {0.02f, 0.03f, -0.01f, 0.01f, 0.04f, -0.02f, 0.005f, 0.01f, -0.03f};

static void expect_change(void)
{
    float f[9];
    memcpy(f, cell, sizeof f);
    my_collide(f, 1.0f);
    if (memcmp(f, cell, sizeof f) == 0)
        wrong("the collision leaves all nine populations as they were");
}

/** Two cells of one density and momentum have one equilibrium: what is between them shrinks. */
static void expect_share(float omega)
{
    const float between[9] = {0.04f, -0.01f, -0.01f, -0.01f, -0.01f};
    float f[9], g[9];
    for (int i = 0; i < 9; i++) {
        f[i] = cell[i];
        g[i] = cell[i] + between[i];
    }
    my_collide(f, omega);
    my_collide(g, omega);
    for (int i = 0; i < 9; i++) {
        const float expected = (1.0f - omega) * between[i], got = g[i] - f[i];
        if (!(fabsf(got - expected) <= 1e-6f))
            wrong("two cells of the same density and momentum, direction %s %g apart: after a collision with "
                  "omega = %g expected %.4g, got %.4g",
                  direction_name(i), between[i], omega, expected, got);
    }
}

static void expect_collision(float omega)
{
    const Physics physics = {.width = 1, .height = 1, .omega = omega};
    float f[9], expected[9];
    memcpy(f, cell, sizeof f);
    memcpy(expected, cell, sizeof expected);
    collide(expected, FLUID, 0, &physics);
    my_collide(f, omega);
    for (int i = 0; i < 9; i++)
        if (!(fabsf(f[i] - expected[i]) <= 3e-7f))
            wrong("first wrong population: direction %s after a collision with omega = %g: expected %.4g, "
                  "got %.4g",
                  direction_name(i), omega, expected[i], f[i]);
}

void check(void)
{
    part("TODO(1)", "fluid at rest: what is f_i - w_i when f_i is the weight w_i itself?");
    expect_equilibrium(0.0f, 0.0f, 0.0f);
    part("TODO(1)", "the density: at rest f_i = rho w_i, so what is left of it after the shift?");
    expect_equilibrium(0.1f, 0.0f, 0.0f);
    part("TODO(1)",
         "the three terms with the velocity, their factors 3, 9/2 and -3/2, and rho in front of them");
    expect_equilibrium(0.0f, 0.1f, 0.0f);
    expect_equilibrium(0.1f, 0.05f, -0.12f);

    part("TODO(2), then TODO(3)", "what is the cell's equilibrium, and how far towards it does f[i] go?");
    expect_change();
    part("TODO(3)", "omega is the share of the way from f[i] to the target that a collision adds to f[i]");
    expect_share(0.6f);
    part("TODO(2)", "with omega = 1 a collision ends in equilibrium, whose density is 1 + sum(f) and whose "
                    "velocity is momentum over density");
    expect_collision(1.0f);
    part("TODO(3)", "omega is the share of the whole way, of the target too");
    expect_collision(0.6f);
    expect_collision(1.7f);
}
