#include "flow/units.h"

#include "flow/scenario.h"
#include "lattice/d2q9.h"

#include "check.h"

/** Water past a rod of a centimetre, at a centimetre a second. */
static const MeasuredFlow rod = {0.01, 0.01, 1e-6};

TEST(the_rod_is_as_worked_out_by_hand)
{
    const LatticeFlow l = on_lattice(&rod, 20.0, 0.1);
    EXPECT_NEAR(l.re, 100.0, 1e-9);
    EXPECT_NEAR(l.nu, 0.02, 1e-12);
    EXPECT_NEAR(l.tau, 0.56, 1e-12);
    EXPECT_NEAR(l.mach, 0.1732051, 1e-6);
    EXPECT_NEAR(l.cell_re, 5.0, 1e-9);
    EXPECT_NEAR(l.dx, 5e-4, 1e-15);
    EXPECT_NEAR(l.dt, 5e-3, 1e-15);
}

/** What the lattice does in a second, in its own units, is what the water does in metres. */
TEST(a_cell_and_a_step_turn_lattice_units_back)
{
    const LatticeFlow l = on_lattice(&rod, 37.0, 0.03);
    EXPECT_NEAR(l.u * l.dx / l.dt, rod.speed, 1e-12);
    EXPECT_NEAR(l.nu * l.dx * l.dx / l.dt, rod.viscosity, 1e-16);
    EXPECT_NEAR(l.cells * l.dx, rod.length, 1e-12);
}

TEST(a_flow_of_the_program_has_the_same_numbers)
{
    const Parameters parameters = {.width = 22, .height = 22, .re = 100.0, .u = 0.1};
    const Scenario s = resolve_scenario(find_flow("cavity"), parameters);
    const LatticeFlow l = on_lattice(&rod, s.length, s.u);
    EXPECT_NEAR(l.tau, s.tau, 1e-12);
    EXPECT_NEAR(l.nu, s.nu, 1e-12);
    EXPECT_NEAR(l.mach, s.mach, 1e-12);
}

TEST(walls_do_not_slip_where_the_parabola_is_exact)
{
    EXPECT_NEAR(slip_at_walls(BGK_MAGIC_TAU, 16.0), 0.0, 1e-12);
    EXPECT_NEAR(slip_at_walls(0.5, 10.0), -0.01, 1e-12);
    EXPECT_NEAR(slip_at_walls(2.0, 16.0), 11.0 / 256.0, 1e-12);
}

TEST(numbers_are_rounded_to_the_side_that_is_meant)
{
    EXPECT_NEAR(round_down(0.17320508), 0.173, 1e-12);
    EXPECT_NEAR(round_up(0.17320508), 0.174, 1e-12);
    EXPECT_NEAR(round_down(98765.0), 98700.0, 1e-6);
    EXPECT_NEAR(round_up(99999.0), 100000.0, 1e-6);
}

/** A flow of a Reynolds number on a lattice. */
static LatticeFlow flow_of(double re, double cells, double u)
{
    const MeasuredFlow flow = {1.0, re, 1.0};
    return on_lattice(&flow, cells, u);
}

static int is_good_with(double re, double cells, double u)
{
    const LatticeFlow l = flow_of(re, cells, u);
    return is_good_for_a_run(&l);
}

static int keeps(double re, double cells, double u, LimitedNumber number)
{
    const LatticeFlow l = flow_of(re, cells, u);
    const Limit limit = limit_of(&l, number);
    return is_kept(&limit);
}

/** The numbers proposed are good, and those a little beyond them are not. */
TEST(limits_are_where_they_are_said_to_be)
{
    const double res[] = {1e-12, 1e-3, 0.7, 10.0, 100.0, 139.9, 140.1, 4321.0, 900000.0};
    for (int n = 0; n < 9; n++) {
        const double fewest = fewest_cells(res[n]);
        for (double cells = fewest; cells <= most_cells_a_side(); cells *= 3.0) {
            const double slowest = slowest_u(res[n], cells), fastest = fastest_u(res[n], cells);
            EXPECT(slowest <= fastest);
            EXPECT(is_good_with(res[n], cells, slowest) && is_good_with(res[n], cells, fastest));
            EXPECT(!is_good_with(res[n], cells, 0.98 * slowest));
            EXPECT(!is_good_with(res[n], cells, 1.02 * fastest));
        }
        EXPECT(!is_good_with(res[n], fewest - 1.0, slowest_u(res[n], fewest - 1.0)));
        EXPECT(!is_good_with(res[n], fewest - 1.0, fastest_u(res[n], fewest - 1.0)));
    }
}

TEST(the_primers_speed_is_the_most_that_is_good)
{
    EXPECT(is_good_with(100.0, 100.0, 0.1) && !is_good_with(100.0, 100.0, 0.1001));
    EXPECT(most_u == 0.1 && sqrt(3.0) * most_u < most_mach);
}

/** Numbers on a limit are good, whatever the last bit of a double makes of them. */
TEST(a_number_on_its_limit_is_good)
{
    const MeasuredFlow flow = {0.1, 0.028, 1e-6};
    const LatticeFlow l = on_lattice(&flow, 200.0, 0.1);
    EXPECT(l.cell_re > 14.0 && is_good_for_a_run(&l)); // 14.000000000000002
    EXPECT(fewest_cells(l.re) == 200.0);
    EXPECT(keeps(150000.0, 2500.0, 0.1, TAU) && !keeps(150000.0, 2499.0, 0.1, TAU));
    EXPECT(fewest_cells_for_tau(150000.0, 0.1) == 2500.0);
    for (int n = 10; n < 5000; n++) {
        EXPECT(fewest_cells(14.0 * n) == n && keeps(14.0 * n, n, 0.1, CELL_RE));
        EXPECT(fewest_cells_for_tau(60.0 * n, 0.1) == n && keeps(60.0 * n, n, 0.1, TAU));
        EXPECT(!keeps(14.0 * n, n - 1, 0.1, CELL_RE) && !keeps(60.0 * n, n - 1, 0.1, TAU));
        EXPECT_NEAR(round_down(0.001 * n), 0.001 * n, n < 1000 ? 1e-12 : 0.01);
        EXPECT_NEAR(round_up(0.001 * n), 0.001 * n, n < 1000 ? 1e-12 : 0.01);
    }
}

TEST(what_no_run_takes_is_not_good)
{
    const double most = most_cells_a_side();
    char reason[REASON_SIZE];
    LatticeFlow l = flow_of(1000.0, most, 0.1);
    EXPECT(fits_a_run(&l, reason) && is_good_for_a_run(&l));
    l = flow_of(1000.0, most + 1.0, 0.1);
    EXPECT(!fits_a_run(&l, reason) && strstr(reason, "too large") && !is_good_for_a_run(&l));
    l = flow_of(1e-9, 3e9, 0.05); // once good, with tau 4.5e17
    EXPECT(!fits_a_run(&l, reason) && !is_good_for_a_run(&l));
    l = flow_of(1e-9, 100.0, 0.05);
    EXPECT(!fits_a_run(&l, reason) && strstr(reason, "makes tau 1.5e+10: "));
    l = flow_of(1e-12, 60000.0, 1e-19);
    EXPECT(!fits_a_run(&l, reason) && strstr(reason, "speed 1e-19 makes no sense") && !is_good_for_a_run(&l));
    l = flow_of(100.0, 100.0, 0.6);
    EXPECT(!fits_a_run(&l, reason));
}

TEST(what_is_no_number_is_not_good)
{
    EXPECT(!is_good_with(NAN, 100.0, 0.1) && !is_good_with(100.0, NAN, 0.1) &&
           !is_good_with(100.0, 100.0, NAN));
}
