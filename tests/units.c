#include "units.h"

#include "d2q9.h"
#include "scenario.h"

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
    const Scenario s = fix_scenario(find_flow("cavity"), parameters);
    const LatticeFlow l = on_lattice(&rod, s.length, s.u);
    EXPECT_NEAR(l.tau, s.tau, 1e-12);
    EXPECT_NEAR(l.nu, s.nu, 1e-12);
    EXPECT_NEAR(l.mach, s.mach, 1e-12);
}

TEST(walls_do_not_slip_where_the_parabola_is_exact)
{
    EXPECT_NEAR(slip_at_walls(BGK_WALL_TAU, 16.0), 0.0, 1e-12);
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

/** Whether a flow passes no limit. */
static int is_good(double re, double cells, double u)
{
    const MeasuredFlow flow = {1.0, re, 1.0};
    const LatticeFlow l = on_lattice(&flow, cells, u);
    return l.mach <= most_mach && l.tau >= least_tau && l.cell_re <= most_cell_re() &&
           fabs(l.slip) <= most_slip;
}

/** The numbers proposed are good, and those a little beyond them are not. */
TEST(limits_are_where_they_are_said_to_be)
{
    const double res[] = {1e-12, 1e-3, 0.7, 10.0, 100.0, 139.9, 140.1, 4321.0, 1e6, 1e12};
    for (int n = 0; n < 10; n++) {
        const double fewest = fewest_cells(res[n]);
        for (double cells = fewest; cells < 100.0 * fewest; cells *= 3.0) {
            const double slowest = slowest_u(res[n], cells), fastest = fastest_u(res[n], cells);
            EXPECT(slowest <= fastest);
            EXPECT(is_good(res[n], cells, slowest) && is_good(res[n], cells, fastest));
            EXPECT(!is_good(res[n], cells, 0.98 * slowest) && !is_good(res[n], cells, 1.02 * fastest));
        }
        EXPECT(!is_good(res[n], fewest - 1.0, slowest_u(res[n], fewest - 1.0)));
        if (fewest > 10.0) // with 9 and the right tau there is no slip either
            EXPECT(!is_good(res[n], fewest - 1.0, fastest_u(res[n], fewest - 1.0)));
    }
}

TEST(what_is_no_number_is_not_good)
{
    EXPECT(!is_good(NAN, 100.0, 0.1) && !is_good(100.0, NAN, 0.1) && !is_good(100.0, 100.0, NAN));
}
