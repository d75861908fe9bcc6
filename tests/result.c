#include "result.h"

#include "check.h"

TEST(mass_counts_fluid_cells_only)
{
    Scenario s = create_scenario(find_flow("cavity"), (Parameters){.width = 6, .height = 5});
    Result r = initial_result(&s);
    EXPECT_NEAR(total_mass(&r), 4.0 * 3.0, 1e-9);
    r.f[9 * (1 * 6 + 1)] += 0.5f;
    r.f[0] += 0.5f; /* a wall */
    EXPECT_NEAR(total_mass(&r), 12.5, 1e-9);
    destroy_result(&r);
    destroy_scenario(&s);
}

TEST(density_must_be_positive)
{
    Scenario s = create_scenario(find_flow("taylor_green"), (Parameters){.width = 8, .height = 8});
    Result r = initial_result(&s);
    r.f[9 * 20] -= 1.5f;
    find_moments(&r);
    EXPECT(!is_sane(&r));
    r.f[9 * 20] = INFINITY;
    find_moments(&r);
    EXPECT(!is_sane(&r));
    destroy_result(&r);
    destroy_scenario(&s);
}

TEST(walls_report_their_own_speed)
{
    Scenario s = create_scenario(find_flow("cavity"), (Parameters){.width = 5, .height = 5});
    Result r = initial_result(&s);
    EXPECT_NEAR(moments_at(&r, 2, 4).ux, s.u, 1e-8);
    EXPECT(moments_at(&r, 0, 2).ux == 0.0f && moments_at(&r, 0, 2).rho == 1.0f);
    destroy_result(&r);
    destroy_scenario(&s);
}
