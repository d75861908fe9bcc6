#include "moments.h"

/** What a steady channel is faster by than the parabola, at the least and the most, over its peak speed. */
static void find_slip(double tau, int height, double *least, double *most)
{
    const Parameters parameters = {.width = 1, .height = height, .tau = tau, .u = 0.01};
    Scenario s = create_scenario(find_flow("poiseuille"), parameters);
    Snapshot r = run_flow(&STAGE, &s, small_block, (int)(2.0 * s.flow->duration(&s)));
    *least = HUGE_VAL;
    *most = -HUGE_VAL;
    for (int y = 1; y < height - 1; y++) {
        const double slip = (moments_at(&r, 0, y).ux - exact_at(&s, 0.0, (Position){0, y, 0}).ux) / s.u;
        *least = isnan(slip) ? NAN : fmin(*least, slip);
        *most = isnan(slip) ? NAN : fmax(*most, slip);
    }
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

/** Rounding to nearest may take a constant part of the momentum in every step, as in `validate`: cells along
 * the channel are equal, and all round in the same direction. */
TEST(walls_slip_as_theory_says)
{
    const double taus[] = {0.6, 0.8, 0.875, BGK_MAGIC_TAU, 1.2, 2.0};
    const int lengths[] = {4, 8, 16};
    for (int n = 0; n < 6 * 3; n++) {
        const double tau = taus[n % 6];
        const int length = lengths[n / 6];
        double least, most;
        find_slip(tau, length + 2, &least, &most);
        const double expected = 8.0 * (tau - 0.875) / (3.0 * length * length);
        const double steps = 3.0 * length * length / (tau - 0.5); // in which the channel forgets, times 8
        const double bound = 2e-4 * fabs(expected) + 3e-5 + 1.5 / 8.0 * STAGE.epsilon * steps;
        EXPECT_NEAR(least, expected, bound);
        EXPECT_NEAR(most, expected, bound);
    }
}

TEST(mass_stays)
{
    Scenario s = create_scenario(find_flow("cavity"), (Parameters){.width = 34, .height = 34, .re = 100.0});
    Snapshot r = run_flow(&STAGE, &s, small_block, 5000);
    EXPECT_NEAR(total_mass(&r) / (32.0 * 32.0), 1.0, 1e-7);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

/** Whether a form of the collision stands a cavity at Re 1000 for so many steps. */
static int stands(const Stage *form, int size, int steps)
{
    Scenario s =
        create_scenario(find_flow("cavity"), (Parameters){.width = size, .height = size, .re = 1000.0});
    Snapshot r = run_flow(form, &s, small_block, steps);
    int still = is_sane(&r);
    for (int x = size / 4; x < 3 * size / 4 && still; x++) // no checkerboard below the lid
        still = fabs(moments_at(&r, x - 1, size - 2).ux - 2.0 * moments_at(&r, x, size - 2).ux +
                     moments_at(&r, x + 1, size - 2).ux) <= 0.01 * s.u;
    destroy_snapshot(&r);
    destroy_scenario(&s);
    return still;
}

TEST(the_lid_at_re_1000_needs_the_trace_relaxed_fully)
{
#ifdef __SANITIZE_ADDRESS__
    SKIP("numbers alone: shorter cases run the same code under the sanitizers");
#endif
    EXPECT(stands(&STAGE, 34, 3000) && !stands(&plain_form, 34, 3000));
    EXPECT(stands(&STAGE, 66, 3000) && !stands(&plain_form, 66, 3000));
}

TEST(slow_the_larger_lid_at_re_1000_needs_it_too)
{
    EXPECT(stands(&STAGE, 130, 10000) && !stands(&plain_form, 130, 10000));
}
