/**
 * @file schaefer_turek.c
 * The channel with a cylinder against M. Schaefer, S. Turek et al. 1996, doi:10.1007/978-3-322-89849-4_39:
 * cases 2D-1 (Re 20, steady) and 2D-2 (Re 100, periodic), with the values that spectral and finite element
 * methods have agreed on since.
 */
#include "result/shedding.h"
#include "run_flow.h"
#include "simulation/simulation.h"
#include "studies/past_bodies.h"

#include "check.h"

#include <stdlib.h>

static const double drag_20 = 5.5795, lift_20 = 0.0106, pressure_20 = 0.11752 / 0.04; // they have u = 0.2

static Scenario channel(int diameter, double re)
{
    const Parameters parameters = {
        .width = 22 * diameter + 2, .height = (int)lround(4.1 * diameter) + 2, .re = re, .u = 0.05};
    return create_scenario(find_flow("channel_cylinder"), parameters);
}

/** Sets a population so that the body feels a force along (x, y), a direction of the lattice. */
static void set_force(Snapshot *r, const LinkList *links, int x, int y, double force)
{
    for (size_t n = 0; n < links->count; n++) {
        const Link *link = &links->link[n];
        if (link->ex == x && link->ey == y) {
            r->f[link->population] = (Real)(-0.5 * force);
            return;
        }
    }
}

TEST(the_published_values_have_no_deviation)
{
    Scenario s = channel(10, 20.0);
    const Body *disc = &s.bodies.body[0];
    const double unit = 0.5 * s.u * s.u * s.length, slope = 3.0 * pressure_20 * s.u * s.u / disc->width;
    LinkList links = find_links(&s);
    Snapshot r = create_snapshot(&s);
    set_force(&r, &links, 1, 0, drag_20 * unit);
    set_force(&r, &links, 0, 1, lift_20 * unit);
    for (size_t cell = 0; cell < cell_count(&s); cell++) { // the pressure falls linearly behind the inflow
        const double x = (double)(cell % (size_t)s.width);
        r.moments[cell].drho = (Real)(s.type[cell] == INFLOW ? 0.0 : slope * (disc->x - x));
    }
    EXPECT_NEAR(drag_deviation(&r), 0.0, 1e-6);
    EXPECT_NEAR(lift_deviation(&r), 0.0, 1e-6);
    EXPECT_NEAR(pressure_deviation(&r), 0.0, 1e-4);
    destroy_links(&links);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

/** Relative error of the steady drag; checks lift and pressure. */
static double steady_error(int diameter, double lift_bound, double pressure_bound)
{
    Scenario s = channel(diameter, 20.0);
    EXPECT(s.length == diameter);
    Snapshot r = run_flow(fast_stage(), &s, small_block, 600 * diameter); // 30 times past the cylinder
    LinkList links = find_links(&s);
    const Force force = force_on_bodies(&r, &links);
    const double pressure = pressure_difference(&r, stream_density(&r));
    printf("diameter %d: drag %.4f, lift %.5f, pressure %.4f\n", diameter, force.drag, force.lift, pressure);
    EXPECT_NEAR(force.lift, lift_20, lift_bound);
    EXPECT_NEAR(pressure, pressure_20, pressure_bound * pressure_20);
    destroy_links(&links);
    destroy_snapshot(&r);
    destroy_scenario(&s);
    return force.drag / drag_20 - 1.0;
}

TEST(drag_with_ten_cells_a_diameter) // long
{
    EXPECT_NEAR(steady_error(10, 0.0100, 0.08), 0.0, 0.08);
}

TEST(slow_drag_approaches_its_value)
{
    const double coarse = steady_error(20, 0.005, 0.05), fine = steady_error(40, 0.005, 0.03);
    EXPECT_NEAR(fine, 0.0, 0.02);
    EXPECT(fabs(fine) < fabs(coarse));
}

TEST(slow_street_has_its_drag_lift_and_strouhal_number)
{
#ifdef GPU_ON_CPU
    SKIP("a CPU would take ten minutes");
#endif
    enum { DIAMETER = 40, SAMPLES = 4000, INTERVAL = 20 };
    static Force sample[SAMPLES];
    Scenario s = channel(DIAMETER, 100.0);
    LinkList links = find_links(&s);
    Snapshot r = create_snapshot(&s);
    Simulation *solver = begin_simulation(fast_stage(), &s, small_block);
    for (int n = 0; n < SAMPLES; n++) {
        advance_simulation(solver, INTERVAL);
        read_snapshot(&r, solver);
        sample[n] = force_on_bodies(&r, &links);
    }
    const Shedding shedding = sum_up(sample, SAMPLES);
    const double strouhal = s.length / (s.u * shedding.period);
    printf("largest drag %.4f, lift %.4f, Strouhal number %.4f\n", shedding.drag.max, shedding.lift.max,
           strouhal);
    EXPECT_NEAR(shedding.drag.max, 3.227, 0.03 * 3.227);
    EXPECT_NEAR(shedding.lift.max, 0.987, 0.05 * 0.987);
    EXPECT_NEAR(strouhal, 0.3018, 0.02 * 0.3018);
    end_simulation(solver);
    destroy_snapshot(&r);
    destroy_links(&links);
    destroy_scenario(&s);
}
