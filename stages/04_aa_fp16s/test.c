#include "run_flow.h"

#include "check.h"

enum { X = 2, Y = 3 };

/** What becomes of a population: the start of a flow whose density at one cell makes it so large. */
static float stored(float population)
{
    Scenario s =
        create_scenario(find_flow("taylor_green"), (Parameters){.width = 1, .height = 1, .u = 1e-12});
    s.physics.omega = 0.0f;
    s.physics.force_x = 3.0f * population; // gives populations 1, 5 and 8 theirs: 3 w_i F
    Snapshot r = run_flow(&STAGE, &s, (Block){1, 1}, 1);
    const float result = r.f[1];
    destroy_snapshot(&r);
    destroy_scenario(&s);
    return result;
}

TEST(populations_span_two)
{
    EXPECT_NEAR(stored(1.9f), 1.9, 1.9 * STAGE.epsilon);
    EXPECT_NEAR(stored(-1.9f), -1.9, 1.9 * STAGE.epsilon);
    EXPECT(isinf(stored(2.1f)));
}

TEST(rounding_is_relative_down_to_2_to_the_minus_29)
{
    for (int exponent = 0; exponent >= -29; exponent--) {
        const double population = ldexp(1.2345678, exponent);
        EXPECT_NEAR(stored((float)population), population, population * STAGE.epsilon);
    }
}

TEST(tiny_populations_keep_what_the_grid_of_2_to_the_minus_39_allows)
{
    const double spacing = ldexp(1.0, -39);
    for (int n = 0; n < 8; n++)
        EXPECT_NEAR(stored((float)((n + 0.3) * spacing)), n * spacing, 1e-3 * spacing);
}

TEST(rounding_is_to_nearest)
{
    EXPECT(stored(0.5f + 0.4f / 2048.0f) == 0.5f);
    EXPECT(stored(0.5f + 0.6f / 2048.0f) == 0.5f + 1.0f / 2048.0f);
}

/** Largest velocity difference to the reference after a thousand steps of a flow without force. */
static double difference_in(const char *flow)
{
    Scenario s = create_scenario(find_flow(flow), (Parameters){.width = 66, .height = 66, .tau = 0.6});
    Snapshot expected = run_flow(stages[0], &s, small_block, 1000);
    Snapshot r = run_flow(&STAGE, &s, small_block, 1000);
    const double difference = velocity_difference(&r, &expected);
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    destroy_scenario(&s);
    return difference;
}

TEST(flows_without_force_stay_close) // long
{
    // Independent roundings add up as a random walk; and something must be lost, or it is no 16-bit storage.
    const double bound = STAGE.epsilon * sqrt(1000.0);
    const double cavity = difference_in("cavity"), taylor_green = difference_in("taylor_green");
    printf("cavity %.2e, Taylor-Green %.2e, bound %.2e\n", cavity, taylor_green, bound);
    EXPECT(cavity <= bound && cavity > 1e-5);
    EXPECT(taylor_green <= bound && taylor_green > 1e-5);
}

/** Relative L2 error of the steady channel. */
static double channel_error(const Stage *stage, int height)
{
    const Parameters parameters = {.width = 1, .height = height, .tau = 0.9330127, .u = 0.05};
    Scenario s = create_scenario(find_flow("poiseuille"), parameters);
    Snapshot r = run_flow(stage, &s, small_block, (int)(1.5 * s.flow->duration(&s)));
    double error = 0.0, norm = 0.0;
    for (int y = 1; y < height - 1; y++) {
        const double exact = exact_at(&s, 0.0, (Position){0, y, 0}).ux;
        error += pow(moments_at(&r, 0, y).ux - exact, 2.0);
        norm += exact * exact;
    }
    destroy_snapshot(&r);
    destroy_scenario(&s);
    return sqrt(error / norm);
}

TEST(rounding_loses_a_small_force) // long
{
    const double e34 = channel_error(&STAGE, 34), e66 = channel_error(&STAGE, 66);
    const double single = channel_error(stages[0], 66);
    printf("H = 34: %.3f, H = 66: %.3f, in single precision %.1e\n", e34, e66, single);
    EXPECT(e34 >= 0.03 && e34 <= 0.15);
    EXPECT(e66 >= 0.15 && e66 <= 0.45);
    EXPECT(single <= 5e-4);
}
