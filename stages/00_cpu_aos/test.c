#include "run_flow.h"

#include "check.h"
#include "lattice/d2q9.h"

static Scenario periodic_box(int width, int height)
{
    return create_scenario(find_flow("taylor_green"), (Parameters){.width = width, .height = height});
}

TEST(populations_move_one_cell_per_step)
{
    Scenario s = periodic_box(5, 5);
    s.physics.omega = 0.0f; // no collision: streaming alone
    s.u = 0.0;
    Snapshot r = run_flow(&STAGE, &s, small_block, 1), start = run_flow(&STAGE, &s, small_block, 0);
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 5; x++)
            for (int i = 0; i < 9; i++) {
                const int to = wrap(y + ey(i), 5) * 5 + wrap(x + ex(i), 5);
                EXPECT(r.f[9 * to + i] == start.f[9 * (y * 5 + x) + i]);
            }
    destroy_snapshot(&r);
    destroy_snapshot(&start);
    destroy_scenario(&s);
}

TEST(mass_and_momentum_stay_in_a_periodic_box)
{
    Scenario s = periodic_box(24, 17);
    Snapshot r = run_flow(&STAGE, &s, small_block, 500);
    double mass = 0.0, mx = 0.0, my = 0.0;
    for (size_t cell = 0; cell < cell_count(&s); cell++) {
        mass += sum(r.f + 9 * cell);
        mx += momentum_x(r.f + 9 * cell);
        my += momentum_y(r.f + 9 * cell);
    }
    EXPECT_NEAR(mass / (double)cell_count(&s), 0.0, 1e-6);
    EXPECT_NEAR(mx / (double)cell_count(&s), 0.0, 1e-6);
    EXPECT_NEAR(my / (double)cell_count(&s), 0.0, 1e-6);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

TEST(a_still_box_stays_still)
{
    Scenario s = create_scenario(find_flow("cavity"), (Parameters){.width = 12, .height = 9});
    for (int i = 0; i < 9; i++)
        s.physics.wall_gain[i] = 0.0f;
    Snapshot r = run_flow(&STAGE, &s, small_block, 50);
    for (size_t n = 0; n < 9 * cell_count(&s); n++)
        EXPECT(r.f[n] == 0.0f);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

TEST(the_lid_drags_the_fluid_along)
{
    Scenario s = create_scenario(find_flow("cavity"), (Parameters){.width = 20, .height = 20, .re = 50.0});
    Snapshot r = run_flow(&STAGE, &s, small_block, 2000);
    EXPECT(moments_at(&r, 10, 18).ux > 0.5 * s.u);
    EXPECT(moments_at(&r, 10, 6).ux < 0.0);
    EXPECT(moments_at(&r, 17, 10).uy < 0.0);
    EXPECT(moments_at(&r, 2, 10).uy > 0.0);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

/** Largest error of the steady channel over its peak speed. */
static double channel_error(double tau)
{
    const Parameters parameters = {.width = 1, .height = 18, .tau = tau};
    Scenario s = create_scenario(find_flow("poiseuille"), parameters);
    Snapshot r = run_flow(&STAGE, &s, small_block, 20000);
    double largest = 0.0;
    for (int y = 1; y < s.height - 1; y++)
        largest =
            fmax(largest, fabs(moments_at(&r, 0, y).ux - exact_at(&s, 0.0, (Position){0, y, 0}).ux) / s.u);
    destroy_snapshot(&r);
    destroy_scenario(&s);
    return largest;
}

TEST(half_way_walls_err_as_theory_says)
{
    const double taus[] = {0.6, 0.8, 1.2};
    for (int n = 0; n < 3; n++) {
        const double l = (taus[n] - 0.5) * (taus[n] - 0.5);
        EXPECT_NEAR(channel_error(taus[n]), fabs(16.0 * l - 3.0) / (3.0 * 16 * 16), 4e-5);
    }
    EXPECT_NEAR(channel_error(0.5 + 0.25 * sqrt(3.0)), 0.0, 4e-5);
}

TEST(pipe_of_one_fluid_row_flows)
{
    const Parameters parameters = {.width = 1, .height = 3, .tau = 0.9330127};
    Scenario s = create_scenario(find_flow("poiseuille"), parameters);
    Snapshot r = run_flow(&STAGE, &s, small_block, 2000);
    EXPECT_NEAR(moments_at(&r, 0, 1).ux / s.u, 1.0, 1e-4);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}
