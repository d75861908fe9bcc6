#include "lattice/d2q9.h"

#include "check.h"

#include <stdlib.h>
#include <sys/mman.h>

static const Physics plain = {.width = 5, .height = 4, .omega = 1.25f};

/** Small reproducible populations, all different. */
static void some_populations(float *f)
{
    for (int i = 0; i < 9; i++)
        f[i] = 0.01f * (float)((7 * i * i + 3 * i + 1) % 11 - 5);
}

TEST(directions_are_the_textbooks)
{
    const int map[3][3] = {
        {6, 2, 5},
        {3, 0, 1},
        {7, 4, 8}
    };
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) {
            const int i = map[row][column];
            EXPECT(ex(i) == column - 1);
            EXPECT(ey(i) == 1 - row);
        }
}

TEST(opposite_points_back)
{
    for (int i = 0; i < 9; i++) {
        EXPECT(ex(opposite(i)) == -ex(i));
        EXPECT(ey(opposite(i)) == -ey(i));
    }
}

TEST(dot_is_the_scalar_product)
{
    for (int i = 0; i < 9; i++)
        EXPECT(dot(i, 0.3f, 0.7f) == (float)ex(i) * 0.3f + (float)ey(i) * 0.7f);
}

/** Sum of w_i e_ix^a e_iy^b. */
static double lattice_moment(int a, int b)
{
    double result = 0.0;
    for (int i = 0; i < 9; i++)
        result += weight(i) * pow(ex(i), a) * pow(ey(i), b);
    return result;
}

TEST(weights_are_isotropic_to_fourth_order)
{
    EXPECT_NEAR(lattice_moment(0, 0), 1.0, 1e-7);
    EXPECT_NEAR(lattice_moment(1, 0), 0.0, 1e-7);
    EXPECT_NEAR(lattice_moment(1, 1), 0.0, 1e-7);
    EXPECT_NEAR(lattice_moment(2, 0), 1.0 / 3.0, 1e-7);
    EXPECT_NEAR(lattice_moment(0, 2), 1.0 / 3.0, 1e-7);
    EXPECT_NEAR(lattice_moment(4, 0), 1.0 / 3.0, 1e-7);
    EXPECT_NEAR(lattice_moment(2, 2), 1.0 / 9.0, 1e-7);
}

/** In double nothing of these sums is rounded. */
TEST(mass_and_momentum_are_shared_out_to_the_last_bit)
{
    double all = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;
    for (int i = 0; i < 9; i++) {
        all += weight_over_cs2(i);
        xx += ex(i) * ex(i) * (double)weight_over_cs2(i);
        yy += ey(i) * ey(i) * (double)weight_over_cs2(i);
        xy += ex(i) * ey(i) * (double)weight_over_cs2(i);
        EXPECT_NEAR(weight_over_cs2(i), 3.0 * weight(i), 2e-6);
        EXPECT(weight_over_cs2(i) == weight_over_cs2(opposite(i)));
    }
    EXPECT(all == 3.0 && xx == 1.0 && yy == 1.0 && xy == 0.0);
}

TEST(equilibrium_has_the_moments_it_is_made_of)
{
    float f[9];
    for (int i = 0; i < 9; i++)
        f[i] = equilibrium(i, 0.02f, 0.05f, -0.03f);
    const Moments m = moments(f, &plain);
    EXPECT_NEAR(m.drho, 0.02, 2e-7);
    EXPECT_NEAR(m.ux, 0.05, 2e-7);
    EXPECT_NEAR(m.uy, -0.03, 2e-7);
}

TEST(equilibrium_stress_is_pressure_plus_momentum_flux)
{
    const double rho = 1.02, ux = 0.05, uy = -0.03;
    double xx = 0.0, xy = 0.0;
    for (int i = 0; i < 9; i++) {
        const double f = equilibrium(i, (float)(rho - 1.0), (float)ux, (float)uy) + weight(i);
        xx += ex(i) * ex(i) * f;
        xy += ex(i) * ey(i) * f;
    }
    EXPECT_NEAR(xx, rho / 3.0 + rho * ux * ux, 2e-7);
    EXPECT_NEAR(xy, rho * ux * uy, 2e-7);
}

TEST(fluid_at_rest_is_all_zeros)
{
    for (int i = 0; i < 9; i++)
        EXPECT(equilibrium(i, 0.0f, 0.0f, 0.0f) == 0.0f);
}

TEST(collide_conserves_mass_and_momentum)
{
    float f[9], g[9];
    some_populations(f);
    memcpy(g, f, sizeof g);
    collide(g, FLUID, 0, &plain);
    EXPECT(g[1] != f[1]);
    EXPECT_NEAR(sum(g), sum(f), 5e-8);
    EXPECT_NEAR(momentum_x(g), momentum_x(f), 5e-8);
    EXPECT_NEAR(momentum_y(g), momentum_y(f), 5e-8);
}

TEST(collide_adds_the_body_force_to_momentum)
{
    Physics forced = plain;
    forced.force_x = 0.003f;
    forced.force_y = -0.001f;
    float f[9], g[9];
    some_populations(f);
    memcpy(g, f, sizeof g);
    collide(g, FLUID, 0, &forced);
    EXPECT_NEAR(sum(g), sum(f), 5e-8);
    EXPECT_NEAR(momentum_x(g) - momentum_x(f), 0.003, 5e-8);
    EXPECT_NEAR(momentum_y(g) - momentum_y(f), -0.001, 5e-8);
}

TEST(velocity_includes_half_the_force)
{
    Physics forced = plain;
    forced.force_x = 0.004f;
    forced.force_y = -0.006f;
    const float f[9] = {0.0f};
    EXPECT_NEAR(moments(f, &forced).ux, 0.002, 1e-9);
    EXPECT_NEAR(moments(f, &forced).uy, -0.003, 1e-9);
}

TEST(equilibrium_is_a_fixed_point_of_collide)
{
    float f[9];
    for (int i = 0; i < 9; i++)
        f[i] = equilibrium(i, -0.01f, 0.08f, 0.02f);
    float g[9];
    memcpy(g, f, sizeof g);
    collide(g, FLUID, 0, &plain);
    for (int i = 0; i < 9; i++)
        EXPECT_NEAR(g[i], f[i], 2e-8);
}

TEST(collide_relaxes_by_omega)
{
    float f[9], g[9];
    some_populations(f);
    memcpy(g, f, sizeof g);
    collide(g, FLUID, 0, &plain);
    const Moments m = moments(f, &plain);
    for (int i = 0; i < 9; i++)
        EXPECT_NEAR(g[i] - f[i], 1.25 * (equilibrium(i, m.drho, m.ux, m.uy) - f[i]), 5e-8);
}

/** Collides populations that were turned or mirrored, and checks that the result is turned or mirrored. */
static void expect_symmetry(const int map[9])
{
    float f[9], image[9];
    some_populations(f);
    for (int i = 0; i < 9; i++)
        image[map[i]] = f[i];
    collide(f, FLUID, 0, &plain);
    collide(image, FLUID, 0, &plain);
    for (int i = 0; i < 9; i++)
        EXPECT_NEAR(image[map[i]], f[i], 2e-8);
}

TEST(collide_does_not_know_left_from_up)
{
    const int quarter_turn[9] = {0, 2, 3, 4, 1, 6, 7, 8, 5};
    expect_symmetry(quarter_turn);
}

TEST(collide_does_not_know_left_from_right)
{
    const int mirror[9] = {0, 3, 2, 1, 4, 6, 5, 8, 7};
    expect_symmetry(mirror);
}

TEST(open_cells_take_the_prescribed_velocity)
{
    Physics open = plain;
    open.open_x = 0.06f;
    open.open_y = -0.02f;
    float f[9];
    some_populations(f);
    collide(f, OPEN, 3, &open);
    const Moments m = moments(f, &plain);
    EXPECT_NEAR(m.drho, 0.0, 2e-7);
    EXPECT_NEAR(m.ux, 0.06, 2e-7);
    EXPECT_NEAR(m.uy, -0.02, 2e-7);
}

TEST(open_cells_can_follow_a_parabola)
{
    Physics open = plain;
    open.open_x = 0.06f;
    open.open_centre = 10.0f;
    open.open_curvature = 0.01f;
    float f[9];
    collide(f, OPEN, 10, &open);
    EXPECT_NEAR(moments(f, &plain).ux, 0.06, 2e-7);
    collide(f, OPEN, 5, &open);
    EXPECT_NEAR(moments(f, &plain).ux, 0.045, 2e-7);
    collide(f, OPEN, 20, &open);
    EXPECT_NEAR(moments(f, &plain).ux, 0.0, 2e-7);
}

TEST(inflow_takes_its_density_from_the_fluid)
{
    Physics open = plain;
    open.open_x = 0.06f;
    float f[9];
    for (int i = 0; i < 9; i++)
        f[i] = equilibrium(i, 0.03f, 0.06f, 0.0f);
    f[1] = f[5] = f[8] = 0.07f; // populations from beyond the border do not count
    collide(f, INFLOW, 3, &open);
    const Moments m = moments(f, &plain);
    EXPECT_NEAR(m.drho, 0.03, 3e-7);
    EXPECT_NEAR(m.ux, 0.06, 3e-7);
    EXPECT_NEAR(m.uy, 0.0, 3e-7);
    collide(f, OPEN, 3, &open); // while open cells have density 1
    EXPECT_NEAR(moments(f, &plain).drho, 0.0, 3e-7);
}

TEST(outflow_takes_its_velocity_from_the_fluid)
{
    Physics open = plain;
    open.open_x = 0.06f;
    float f[9];
    for (int i = 0; i < 9; i++)
        f[i] = equilibrium(i, 0.0f, 0.08f, -0.03f);
    f[3] = f[6] = f[7] = 0.07f; // populations from beyond the border do not count
    collide(f, OUTFLOW, 3, &open);
    const Moments m = moments(f, &plain);
    EXPECT_NEAR(m.drho, 0.0, 3e-7);
    EXPECT_NEAR(m.ux, 0.08, 3e-7);
    EXPECT_NEAR(m.uy, -0.015, 3e-7);
}

TEST(nan_survives_collide)
{
    float f[9] = {0.0f};
    f[4] = NAN;
    collide(f, FLUID, 0, &plain);
    for (int i = 0; i < 9; i++)
        EXPECT(isnan(f[i]));
}

TEST(wrap_is_periodic)
{
    EXPECT(wrap(-1, 5) == 4);
    EXPECT(wrap(0, 5) == 0);
    EXPECT(wrap(4, 5) == 4);
    EXPECT(wrap(5, 5) == 0);
    EXPECT(wrap(-1, 1) == 0);
    EXPECT(wrap(1, 1) == 0);
}

TEST(populations_move_to_the_neighbour)
{
    const CellType type[20] = {FLUID};
    for (int i = 0; i < 9; i++) {
        const Destination destination = boundary(&plain, type, 2, 1, i);
        EXPECT((int)destination.cell == (1 + ey(i)) * 5 + 2 + ex(i));
        EXPECT(destination.direction == i);
        EXPECT(destination.gain == 0.0f);
    }
}

TEST(populations_leave_and_enter_again)
{
    const CellType type[20] = {FLUID};
    EXPECT(boundary(&plain, type, 4, 3, 5).cell == 0);
    EXPECT(boundary(&plain, type, 0, 0, 7).cell == 19);
    EXPECT(boundary(&plain, type, 0, 2, 3).cell == 14);
}

TEST(a_wall_sends_populations_back)
{
    CellType type[20] = {FLUID};
    type[5 * 2 + 3] = WALL;
    const Destination destination = boundary(&plain, type, 2, 1, 5);
    EXPECT(destination.cell == 5 * 1 + 2);
    EXPECT(destination.direction == 7);
    EXPECT(destination.gain == 0.0f);
}

TEST(a_moving_wall_adds_its_gain)
{
    Physics lid = plain;
    for (int i = 0; i < 9; i++)
        lid.wall_gain[i] = (float)i;
    CellType type[20] = {FLUID};
    type[5 * 2 + 3] = MOVING_WALL;
    const Destination destination = boundary(&lid, type, 2, 1, 5);
    EXPECT(destination.cell == 5 * 1 + 2);
    EXPECT(destination.direction == 7);
    EXPECT(destination.gain == 5.0f);
}

TEST(open_cells_are_no_walls)
{
    CellType type[20] = {FLUID};
    type[5 * 2 + 3] = OPEN;
    EXPECT(boundary(&plain, type, 2, 1, 5).cell == 5 * 2 + 3);
    EXPECT(!is_wall(FLUID) && !is_wall(OPEN) && !is_wall(INFLOW) && !is_wall(OUTFLOW));
    EXPECT(!is_opening(FLUID) && is_opening(OPEN) && is_opening(OUTFLOW) && !is_opening(WALL) &&
           !is_opening(BODY));
    EXPECT(is_wall(WALL) && is_wall(MOVING_WALL) && is_wall(BODY));
}

TEST(no_two_populations_land_in_one_slot)
{
    CellType type[20];
    for (int cell = 0; cell < 20; cell++)
        type[cell] = cell == 6 || cell == 13 || cell == 19 ? WALL : FLUID;
    int landed[20][9] = {{0}};
    for (int cell = 0; cell < 20; cell++)
        for (int i = 0; i < 9 && !is_wall(type[cell]); i++) {
            const Destination destination = boundary(&plain, type, cell % 5, cell / 5, i);
            landed[destination.cell][destination.direction]++;
        }
    for (int cell = 0; cell < 20; cell++)
        for (int i = 0; i < 9; i++)
            EXPECT(landed[cell][i] == !is_wall(type[cell]));
}

TEST(cells_are_counted_beyond_2_to_the_31)
{
    const Physics huge = {.width = 65536, .height = 65535};
    const size_t cells = (size_t)huge.width * huge.height, last = cells - 1;
    CellType *type =
        mmap(NULL, cells, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (type == MAP_FAILED)
        SKIP("the address space has no room for a huge grid");
    type[last] = WALL;
    EXPECT(boundary(&huge, type, 65534, 65533, 1).cell == last - 65536);
    EXPECT(boundary(&huge, type, 65534, 65533, 2).cell == last - 1);
    EXPECT(boundary(&huge, type, 65534, 65533, 5).cell == last - 65537);
    EXPECT(boundary(&huge, type, 65534, 65533, 5).direction == 7);
    EXPECT(boundary(&huge, type, 65535, 65533, 5).cell == last - 65535);
    EXPECT(boundary(&huge, type, 0, 0, 4).cell == last - 65535);
    munmap(type, cells);
}
