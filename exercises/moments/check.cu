#include "check_exercise.h"
#include "regularize.h"
#include "run_flow.h"

#include EXERCISE

/** Populations of a cell: in equilibrium, but for so much of a deviation. */
static void fill(float *f, float deviation)
{
    for (int i = 0; i < 9; i++)
        f[i] = equilibrium(i, 0.02f, 0.15f, -0.1f) + deviation * (float)(i * i % 7);
}

/** Compares the moments that the collision of a cell leaves with those of the same one on populations. */
static void expect_moments(float deviation, float omega)
{
    Scenario s = small_flow("taylor_green", 4, 4);
    s.physics.omega = omega;
    s.physics.force_x = 0.002f;
    s.physics.force_y = -0.001f;
    float f[9], expected[9], m[MOMENTS];
    fill(f, deviation);
    fill(expected, deviation);
    collide_regularized(m, f, FLUID, 1, &s.physics);
    regularize(expected, &s.physics, TRACE_AT_ONE);
    for (int i = 1; i <= 6; i += i == 2 ? 3 : 1) {
        const float half = 0.5f * (expected[i] + expected[opposite(i)]);
        if (!(fabsf(m[pair(i)] - half) <= 1e-6f))
            wrong("first wrong half sum: of the populations %d and %d, expected %.6g, got %.6g\n"
                  "  (density 1 + %.4g, momentum %.4g %.4g, omega %g)",
                  i, opposite(i), half, m[pair(i)], sum(f), momentum_x(f), momentum_y(f), omega);
    }
    destroy_scenario(&s);
}

static void expect_like_populations(const char *flow, int width, int height, int steps)
{
    Scenario s = small_flow(flow, width, height);
    for (int n = 1; n <= steps; n++) {
        Snapshot r = run_flow(&STAGE, &s, small_block, n), expected = run_plainly(&s, n);
        expect_populations(&r, &expected, 1e-6, "");
        destroy_snapshot(&r);
        destroy_snapshot(&expected);
    }
    destroy_scenario(&s);
}

void check(void)
{
    part("TODO(1)",
         "a cell in equilibrium, which no collision changes: s_1 and s_2 hold the trace and the difference, "
         "s_5 and s_6 the trace and the shear");
    expect_moments(0.0f, 1.0f);
    part("TODO(2)",
         "of what is not in equilibrium a part stays, of the difference and of the shear; at omega = 1 "
         "nothing does. Nothing of it stays in the trace, nor anywhere else");
    expect_moments(0.001f, 0.7f);
    expect_moments(0.001f, 1.0f);
    expect_moments(0.001f, 1.6f);

    part("TODO(3)",
         "without walls: which neighbour does the population come from that arrives as i, and how did it "
         "leave there? Direction 0 is what is left of the cell itself");
    expect_like_populations("taylor_green", 37, 21, 3);
    part("TODO(3)",
         "away from walls it is right, at walls it is not: `boundary` says where it lands and as what. "
         "What comes back from a wall is the cell's own");
    expect_like_populations("poiseuille", 5, 9, 3);
    part("TODO(3)", "all is right but below the lid, which moves");
    expect_like_populations("cavity", 13, 9, 3);
    expect_like_populations("channel_cylinder", 46, 21, 3);
    expect_like_populations("poiseuille", 1, 10, 3);
    expect_no_race(&STAGE, "cavity", 37, 21, 10);
}
