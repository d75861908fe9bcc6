// Vortices in space: exact ones, energy and enstrophy.
#include "studies/vortices.h"

#include "check.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static Scenario cube(int side)
{
    return create_scenario(find_flow("taylor_green_3d"),
                           (Parameters){.width = side, .height = side, .depth = side, .tau = 0.8, .u = 0.1});
}

static void set_vortices(Snapshot *r, int axis, double t, double factor)
{
    const Scenario *s = r->scenario;
    for (size_t cell = 0; cell < cell_count(s); cell++) {
        Moments m = drawn_out_vortices(s, axis, t, position_of(s, cell), NULL);
        m.ux *= (Real)factor, m.uy *= (Real)factor, m.uz *= (Real)factor;
        r->moments[cell] = m;
    }
}

/** Those along z are the flow of the plane; those along x and y are the same, turned. */
TEST(vortices_along_z_are_those_of_the_plane)
{
    Scenario s = cube(12),
             plane = create_scenario(find_flow("taylor_green"),
                                     (Parameters){.width = 12, .height = 12, .tau = 0.8, .u = 0.1});
    for (int y = 0; y < 12; y++)
        for (int x = 0; x < 12; x++) {
            const Moments m = exact_at(&plane, 30.0, (Position){x, y, 0});
            const Moments z = drawn_out_vortices(&s, 2, 30.0, (Position){x, y, 5}, NULL);
            const Moments along_x = drawn_out_vortices(&s, 0, 30.0, (Position){5, x, y}, NULL);
            const Moments along_y = drawn_out_vortices(&s, 1, 30.0, (Position){y, 7, x}, NULL);
            EXPECT_NEAR(z.ux, m.ux, 1e-8);
            EXPECT_NEAR(z.uy, m.uy, 1e-8);
            EXPECT_NEAR(z.drho, m.drho, 1e-7);
            EXPECT(z.uz == 0.0f && along_x.ux == 0.0f && along_y.uy == 0.0f);
            EXPECT(along_x.uy == z.ux && along_x.uz == z.uy && along_x.drho == z.drho);
            EXPECT(along_y.uz == z.ux && along_y.ux == z.uy && along_y.drho == z.drho);
        }
    destroy_scenario(&plane);
    destroy_scenario(&s);
}

TEST(vortices_off_by_a_tenth_have_that_error)
{
    Scenario s = cube(8);
    Snapshot r = initial_snapshot(&s);
    r.step = 20;
    for (int axis = 0; axis < 3; axis++) {
        set_vortices(&r, axis, 20.0, 1.0);
        EXPECT_NEAR(drawn_out_error(&r, axis), 0.0, 1e-6);
        set_vortices(&r, axis, 20.0, 1.1);
        EXPECT_NEAR(drawn_out_error(&r, axis), 0.1, 1e-5);
        EXPECT(drawn_out_error(&r, (axis + 1) % 3) > 1.0);
    }
    r.moments[17].uy = NAN;
    EXPECT(isnan(drawn_out_error(&r, 0)));
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

/** Of the plane vortices u^2 / 4 and u^2 k^2 / 2, of those in space u^2 / 8 and 3/8 u^2 k^2; the difference
 * of fourth order leaves k^4 / 30 of a derivative. */
TEST(energy_and_enstrophy_are_means)
{
    enum { N = 24 };
    Scenario s = cube(N);
    Snapshot r = initial_snapshot(&s);
    const double k = 2.0 * pi / N, square = 0.01 * k * k;
    EXPECT_NEAR(kinetic_energy(&r) / 0.01, 1.0 / 8.0, 1e-6);
    EXPECT_NEAR(enstrophy(&r) / square, 3.0 / 8.0, 3.0 / 8.0 * k * k * k * k / 14.0);
    for (int axis = 0; axis < 3; axis++) {
        set_vortices(&r, axis, 0.0, 1.0);
        EXPECT_NEAR(kinetic_energy(&r) / 0.01, 1.0 / 4.0, 1e-6);
        EXPECT_NEAR(enstrophy(&r) / square, 1.0 / 2.0, 1.0 / 2.0 * k * k * k * k / 14.0);
    }
    r.moments[5].uz = NAN;
    EXPECT(isnan(kinetic_energy(&r)) && isnan(enstrophy(&r)));
    destroy_snapshot(&r);
    destroy_scenario(&s);
}
