#include "lattice/d2q9.h"
#include "result/snapshot.h"

#include "check.h"

#include <sys/mman.h>

TEST(mass_counts_fluid_cells_only)
{
    Scenario s = create_scenario(find_flow("cavity"), (Parameters){.width = 6, .height = 5});
    Snapshot r = initial_snapshot(&s);
    EXPECT_NEAR(total_mass(&r), 4.0 * 3.0, 1e-9);
    r.f[9 * (1 * 6 + 1)] += 0.5f;
    r.f[0] += 0.5f; /* a wall */
    EXPECT_NEAR(total_mass(&r), 12.5, 1e-9);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

TEST(density_must_be_positive)
{
    Scenario s = create_scenario(find_flow("taylor_green"), (Parameters){.width = 8, .height = 8});
    Snapshot r = initial_snapshot(&s);
    r.f[9 * 20] -= 1.5f;
    find_moments(&r);
    EXPECT(!is_sane(&r));
    r.f[9 * 20] = INFINITY;
    find_moments(&r);
    EXPECT(!is_sane(&r));
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

TEST(walls_report_their_own_speed)
{
    Scenario s = create_scenario(find_flow("cavity"), (Parameters){.width = 5, .height = 5});
    Snapshot r = initial_snapshot(&s);
    EXPECT_NEAR(moments_at(&r, 2, 4).ux, s.u, 1e-8);
    EXPECT(moments_at(&r, 0, 2).ux == 0.0f && moments_at(&r, 0, 2).drho == 0.0f);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

TEST(in_and_outflow_report_what_they_prescribe)
{
    Scenario s = create_scenario(find_flow("channel_cylinder"), (Parameters){.width = 66, .height = 22});
    Snapshot r = initial_snapshot(&s);
    const Moments inflow = moments_at(&r, 0, 10), outflow = moments_at(&r, 65, 10);
    for (int x = 0; x < 66; x += 65)
        for (int i = 0; i < DIRECTIONS; i++)
            r.f[DIRECTIONS * (10 * 66 + x) + i] += 0.01f * (Real)(i == 3);
    find_moments(&r);
    EXPECT_NEAR(moments_at(&r, 0, 10).ux, inflow.ux, 1e-6);
    EXPECT(moments_at(&r, 0, 10).drho > inflow.drho + 0.005); // which comes from the fluid
    EXPECT_NEAR(moments_at(&r, 65, 10).ux, outflow.ux, 1e-6);
    EXPECT_NEAR(moments_at(&r, 65, 10).drho, 0.0, 1e-6);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

TEST(outflow_lets_out_what_comes)
{
    Scenario s = create_scenario(find_flow("bodies"), (Parameters){.width = 66, .height = 22});
    Snapshot r = initial_snapshot(&s);
    const double before = moments_at(&r, 65, 10).ux;
    r.f[DIRECTIONS * (10 * 66 + 65) + 1] += 0.01f;
    find_moments(&r);
    EXPECT_NEAR(moments_at(&r, 65, 10).ux, before + 0.02, 1e-6);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

TEST(nothing_at_all_is_no_fluid)
{
    Scenario s = create_scenario(find_flow("taylor_green"), (Parameters){.width = 8, .height = 8});
    Snapshot r = initial_snapshot(&s);
    r.moments[20].drho = -1.0f;
    EXPECT(!is_sane(&r));
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

TEST(every_cell_is_checked)
{
    Scenario s = create_scenario(find_flow("taylor_green"), (Parameters){.width = 5, .height = 4});
    Snapshot r = initial_snapshot(&s);
    for (int cell = 0; cell < 5 * 4; cell++) {
        EXPECT(is_sane(&r));
        const Moments good = r.moments[cell];
        r.moments[cell].uy = NAN;
        EXPECT(!is_sane(&r));
        r.moments[cell] = good;
    }
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

TEST(moments_lie_beyond_2_to_the_31)
{
    const Scenario s = {.width = 65536, .height = 65535, .depth = 1};
    const size_t bytes = cell_count(&s) * sizeof(Moments);
    Moments *moments =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (moments == MAP_FAILED)
        SKIP("the address space has no room for a huge grid");
    const Snapshot r = {.scenario = &s, .moments = moments};
    moments[cell_count(&s) - 1].drho = 2.0f;
    EXPECT(moments_at(&r, 65535, 65534).drho == 2.0f);
    munmap(moments, bytes);
}
