#include "lattice/pairs_d3q19.h"

#include "check.h"
#include "drift.h"

static const Physics forced = {.width = 5,
                               .height = 4,
                               .depth = 3,
                               .omega = 1.25f,
                               .force_x = 0.003f,
                               .force_y = -0.001f,
                               .force_z = 0.002f};

/** Small reproducible populations, another 19 for each number. */
static void some_populations(Real *f, uint32_t number)
{
    for (int i = 0; i < 19; i++) {
        number = number * 1664525u + 1013904223u;
        f[i] = (Real)0.1 * ((Real)(number >> 8) / (1 << 24) - (Real)0.5);
    }
}

TEST(pairs_are_the_plain_collision_but_for_rounding)
{
    for (uint32_t number = 0; number < 1000; number++) {
        Physics physics = forced;
        physics.omega = (Real)(0.002 * number);
        Real f[19], plain[19];
        some_populations(f, number);
        memcpy(plain, f, sizeof f);
        collide_pairs(f, &physics);
        collide(plain, FLUID, 0, &physics);
        for (int i = 0; i < 19; i++)
            EXPECT_NEAR(f[i], plain[i], 2.5e-7);
    }
}

TEST(pairs_conserve_mass_and_take_up_the_force)
{
    for (uint32_t number = 0; number < 1000; number++) {
        Real f[19], before[19];
        some_populations(before, number);
        memcpy(f, before, sizeof f);
        collide_pairs(f, &forced);
        EXPECT_NEAR(sum(f) - sum(before), 0.0, 1e-7);
        EXPECT_NEAR(momentum_x(f) - momentum_x(before), 0.003, 1e-7);
        EXPECT_NEAR(momentum_y(f) - momentum_y(before), -0.001, 1e-7);
        EXPECT_NEAR(momentum_z(f) - momentum_z(before), 0.002, 1e-7);
    }
}

TEST(pairs_leave_rest_at_rest)
{
    const Physics still = {.width = 5, .height = 4, .depth = 3, .omega = 1.25f};
    Real f[19] = {0};
    collide_pairs(f, &still);
    for (int i = 0; i < 19; i++)
        EXPECT(f[i] == 0.0f);
}

static void collide_all(float *f, const Physics *physics)
{
    for (int cell = 0; cell < SIMILAR_CELLS; cell++)
        collide_pairs(f + 19 * cell, physics);
}

TEST(rounding_of_pairs_does_not_add_up)
{
    expect_no_drift(collide_all);
}
