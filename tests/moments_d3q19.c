#include "lattice/moments_d3q19.h"
#include "regularize_in_space.h"

#include "check.h"
#include "drift.h"

static const Physics plain = {.width = 5,
                              .height = 4,
                              .depth = 3,
                              .omega = 1.25f,
                              .force_x = 0.003f,
                              .force_y = -0.001f,
                              .force_z = 0.002f,
                              .open_x = 0.06f,
                              .open_y = -0.02f,
                              .open_centre = 4.0f,
                              .open_curvature = 0.02f};

/** Small reproducible populations, all different. */
static void some_populations(float *f)
{
    for (int i = 0; i < 19; i++)
        f[i] = 0.004f * (float)((7 * i * i + 3 * i + 1) % 23 - 11);
}

TEST(moments_are_sums_over_all_directions)
{
    float f[19], m[MOMENTS];
    some_populations(f);
    sum_moments(m, f);
    double expected[MOMENTS] = {0.0};
    for (int i = 0; i < 19; i++) {
        const int x = ex(i), y = ey(i), z = ez(i);
        const int factors[MOMENTS] = {1, x, y, z, x * x - z * z, y * y - z * z, x * y, x * z, y * z};
        for (int n = 0; n < MOMENTS; n++)
            expected[n] += factors[n] * (double)f[i];
    }
    for (int n = 0; n < MOMENTS; n++)
        EXPECT_NEAR(m[n], expected[n], 5e-8);
}

TEST(the_collision_is_the_one_on_populations)
{
    const CellType types[] = {FLUID, OPEN, INFLOW, OUTFLOW};
    for (int n = 0; n < 4; n++) {
        float f[19], m[MOMENTS];
        some_populations(f);
        sum_moments(m, f);
        const Collided after = collide_moments(m, types[n], 3, &plain);
        if (types[n] == FLUID)
            regularize_in_space(f, &plain);
        else
            impose_boundary(f, types[n], 3, &plain);
        for (int i = 0; i < 19; i++)
            EXPECT_NEAR(population(&after, i), f[i], 3e-8);
    }
}

TEST(nan_survives_the_collision)
{
    for (int n = 0; n < MOMENTS; n++) {
        float m[MOMENTS] = {0.0f};
        m[n] = NAN;
        const Collided after = collide_moments(m, FLUID, 0, &plain);
        int nans = 0;
        for (int i = 0; i < 19; i++)
            nans += isnan(population(&after, i));
        EXPECT(nans > 0);
    }
}

static void collide_all(float *f, const Physics *physics)
{
    for (int cell = 0; cell < SIMILAR_CELLS; cell++) {
        float m[MOMENTS];
        sum_moments(m, f + 19 * cell);
        const Collided after = collide_moments(m, FLUID, 0, physics);
        for (int i = 0; i < 19; i++)
            f[19 * cell + i] = population(&after, i);
    }
}

TEST(rounding_of_moments_does_not_add_up)
{
    expect_no_drift(collide_all);
}
