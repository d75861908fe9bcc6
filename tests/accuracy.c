#include "studies/accuracy.h"

#include "check.h"

static Scenario scenario_of(const char *flow, Parameters parameters)
{
    return create_scenario(find_flow(flow), parameters);
}

static void set_velocity(Snapshot *r, int x, int y, double ux, double uy)
{
    r->moments[y * r->scenario->width + x] = (Moments){0.0f, (Real)ux, (Real)uy, 0.0f};
}

TEST(the_exact_field_has_no_error)
{
    Scenario s = scenario_of("taylor_green", (Parameters){.width = 16, .height = 16, .u = 0.01});
    Snapshot r = initial_snapshot(&s);
    EXPECT_NEAR(exact_error(&r), 0.0, 1e-5);
    r.step = lround(s.flow->duration(&s));
    EXPECT_NEAR(exact_error(&r), exp((double)r.step / s.flow->duration(&s)) - 1.0, 1e-4);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

TEST(a_field_off_by_a_tenth_has_that_error)
{
    Scenario s = scenario_of("poiseuille", (Parameters){.width = 3, .height = 12});
    Snapshot r = initial_snapshot(&s);
    for (int y = 1; y < 11; y++)
        for (int x = 0; x < 3; x++) {
            const double u = 1.1 * exact_at(&s, 0.0, (Position){x, y, 0}).ux;
            set_velocity(&r, x, y, u, 0.0);
        }
    EXPECT_NEAR(exact_error(&r), 0.1, 1e-4);
    EXPECT_NEAR(exact_share(&r), 1.1, 1e-4);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

TEST(only_differences_of_pressure_count)
{
    Scenario s = scenario_of("taylor_green", (Parameters){.width = 16, .height = 16, .u = 0.1});
    Snapshot r = initial_snapshot(&s);
    EXPECT_NEAR(pressure_error(&r), 0.0, 1e-4);
    for (size_t cell = 0; cell < cell_count(&s); cell++)
        r.moments[cell].drho = 0.02f + 1.1f * exact_at(&s, 0.0, position_of(&s, cell)).drho;
    EXPECT_NEAR(pressure_error(&r), 0.1, 1e-4);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

TEST(the_parabola_of_the_wrong_walls_has_an_error)
{
    Scenario s = scenario_of("poiseuille", (Parameters){.width = 3, .height = 12});
    Snapshot r = initial_snapshot(&s);
    for (int y = 1; y < 11; y++)
        for (int x = 0; x < 3; x++)
            set_velocity(&r, x, y, s.physics.force_x / (2.0 * s.nu) * y * (11.0 - y), 0.0);
    EXPECT(exact_error(&r) > 0.1);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

TEST(what_stays_at_rest_has_not_changed)
{
    Scenario s = scenario_of("cavity", (Parameters){.width = 9, .height = 9});
    Snapshot still = initial_snapshot(&s), r = initial_snapshot(&s);
    EXPECT(relative_change(&r, still.moments) == 0.0);
    set_velocity(&r, 4, 4, 0.0, 1e-30);
    EXPECT(isinf(relative_change(&r, still.moments)));
    EXPECT(relative_change(&still, r.moments) == 1.0);
    set_velocity(&r, 4, 4, 0.0, NAN);
    EXPECT(isnan(relative_change(&r, still.moments)) && isnan(relative_change(&still, r.moments)));
    destroy_snapshot(&still);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

TEST(nan_is_never_right)
{
    Scenario s = scenario_of("cavity", (Parameters){.width = 34, .height = 34, .re = 100.0});
    Scenario t = scenario_of("taylor_green", (Parameters){.width = 34, .height = 34});
    Snapshot r = initial_snapshot(&s), g = initial_snapshot(&t);
    EXPECT(is_sane(&r));
    r.f[9 * (17 * 34 + 17) + 3] = NAN;
    g.f[9 * (17 * 34 + 17) + 3] = NAN;
    find_moments(&r);
    find_moments(&g);
    EXPECT(!is_sane(&r));
    EXPECT(isnan(total_mass(&r)));
    EXPECT(isnan(exact_error(&g)));
    EXPECT(isnan(exact_share(&g)));
    EXPECT(isnan(pressure_error(&g)));
    EXPECT(isnan(relative_change(&g, g.moments)));
    destroy_snapshot(&r);
    destroy_snapshot(&g);
    destroy_scenario(&s);
    destroy_scenario(&t);
}

TEST(change_is_relative_to_what_was)
{
    Scenario s = scenario_of("taylor_green", (Parameters){.width = 8, .height = 8, .u = 0.01});
    Snapshot r = initial_snapshot(&s), g = initial_snapshot(&s);
    for (size_t n = 0; n < population_count(&s); n++)
        g.f[n] = 2.0f * r.f[n];
    find_moments(&g);
    EXPECT_NEAR(relative_change(&r, r.moments), 0.0, 1e-12);
    EXPECT_NEAR(relative_change(&g, r.moments), 1.0, 1e-3);
    EXPECT_NEAR(relative_change(&r, g.moments), 0.5, 1e-3);
    destroy_snapshot(&r);
    destroy_snapshot(&g);
    destroy_scenario(&s);
}
