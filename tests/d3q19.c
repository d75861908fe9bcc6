#include "lattice/d3q19.h"

#include "check.h"

#include <stdlib.h>
#include <sys/mman.h>

static const Physics plain = {.width = 5, .height = 4, .depth = 3, .omega = 1.25f};

enum { CELLS = 5 * 4 * 3 };

/** The number of a cell. */
static int at(int x, int y, int z)
{
    return (z * 4 + y) * 5 + x;
}

/** Small reproducible populations, all different. */
static void some_populations(float *f)
{
    for (int i = 0; i < 19; i++)
        f[i] = 0.004f * (float)((7 * i * i + 3 * i + 1) % 23 - 11);
}

TEST(directions_are_those_of_the_map)
{
    const int map[3][3][3] = {
        {{-1, 17, -1}, {12, 6, 13}, {-1, 16, -1}},
        {{10, 3, 7},   {2, 0, 1},   {8, 4, 9}   },
        {{-1, 15, -1}, {14, 5, 11}, {-1, 18, -1}}
    };
    int found = 0;
    for (int plane = 0; plane < 3; plane++)
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 3; column++) {
                const int i = map[plane][row][column];
                if (i < 0)
                    continue;
                EXPECT(ex(i) == column - 1 && ey(i) == 1 - row && ez(i) == plane - 1);
                found++;
            }
    EXPECT(found == DIRECTIONS);
}

TEST(opposite_points_back)
{
    for (int i = 0; i < 19; i++) {
        EXPECT(ex(opposite(i)) == -ex(i));
        EXPECT(ey(opposite(i)) == -ey(i));
        EXPECT(ez(opposite(i)) == -ez(i));
    }
}

TEST(dot_is_the_scalar_product)
{
    for (int i = 0; i < 19; i++)
        EXPECT(dot(i, 0.25f, 0.75f, 0.125f) ==
               (float)ex(i) * 0.25f + (float)ey(i) * 0.75f + (float)ez(i) * 0.125f);
}

TEST(sums_are_over_all_directions)
{
    float f[19];
    some_populations(f);
    double all = 0.0, x = 0.0, y = 0.0, z = 0.0, xy = 0.0, xz = 0.0;
    for (int i = 0; i < 19; i++) {
        all += f[i];
        x += ex(i) * f[i];
        y += ey(i) * f[i];
        z += ez(i) * f[i];
        xy += ex(i) * ey(i) * f[i];
        xz += ex(i) * ez(i) * f[i];
    }
    EXPECT_NEAR(sum(f), all, 5e-8);
    EXPECT_NEAR(momentum_x(f), x, 5e-8);
    EXPECT_NEAR(momentum_y(f), y, 5e-8);
    EXPECT_NEAR(momentum_z(f), z, 5e-8);
    EXPECT_NEAR(momentum_flux_xy(f), xy, 5e-8);
    EXPECT_NEAR(momentum_flux_xz(f), xz, 5e-8);
}

/** In double nothing of these sums is rounded. */
TEST(mass_and_momentum_are_shared_out_to_the_last_bit)
{
    double all = 0.0, product[3][3] = {{0.0}};
    for (int i = 0; i < 19; i++) {
        const int e[3] = {ex(i), ey(i), ez(i)};
        all += weight_over_cs2(i);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                product[a][b] += e[a] * e[b] * (double)weight_over_cs2(i);
        EXPECT_NEAR(weight_over_cs2(i), 3.0 * weight(i), 2e-6);
        EXPECT(weight_over_cs2(i) == weight_over_cs2(opposite(i)));
    }
    EXPECT(all == 3.0);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            EXPECT(product[a][b] == (a == b ? 1.0 : 0.0));
}

/** With few bits, what is left of a product when it is rounded takes all values, and nothing adds up. */
TEST(the_shares_of_momentum_have_at_most_19_bits)
{
    for (int i = 1; i < 19; i++) {
        int exponent;
        const double digits = ldexp(frexp((double)weight_over_cs2(i), &exponent), 19);
        EXPECT(digits == floor(digits));
    }
}

TEST(equilibrium_has_the_moments_it_is_made_of)
{
    float f[19];
    for (int i = 0; i < 19; i++)
        f[i] = equilibrium(i, 0.02f, 0.05f, -0.03f, 0.04f);
    const Moments m = moments(f, &plain);
    EXPECT_NEAR(m.drho, 0.02, 3e-7);
    EXPECT_NEAR(m.ux, 0.05, 3e-7);
    EXPECT_NEAR(m.uy, -0.03, 3e-7);
    EXPECT_NEAR(m.uz, 0.04, 3e-7);
}

TEST(equilibrium_stress_is_pressure_plus_momentum_flux)
{
    const double rho = 1.02, u[3] = {0.05, -0.03, 0.04};
    double flux[3][3] = {{0.0}};
    for (int i = 0; i < 19; i++) {
        const int e[3] = {ex(i), ey(i), ez(i)};
        const double f =
            equilibrium(i, (float)(rho - 1.0), (float)u[0], (float)u[1], (float)u[2]) + weight(i);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                flux[a][b] += e[a] * e[b] * f;
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            EXPECT_NEAR(flux[a][b], (a == b ? rho / 3.0 : 0.0) + rho * u[a] * u[b], 2e-7);
}

TEST(fluid_at_rest_is_all_zeros)
{
    for (int i = 0; i < 19; i++)
        EXPECT(equilibrium(i, 0.0f, 0.0f, 0.0f, 0.0f) == 0.0f);
}

TEST(collide_conserves_mass_and_momentum)
{
    float f[19], g[19];
    some_populations(f);
    memcpy(g, f, sizeof g);
    collide(g, FLUID, 0, &plain);
    EXPECT(g[1] != f[1]);
    EXPECT_NEAR(sum(g), sum(f), 5e-8);
    EXPECT_NEAR(momentum_x(g), momentum_x(f), 5e-8);
    EXPECT_NEAR(momentum_y(g), momentum_y(f), 5e-8);
    EXPECT_NEAR(momentum_z(g), momentum_z(f), 5e-8);
}

TEST(collide_adds_the_body_force_to_momentum)
{
    Physics forced = plain;
    forced.force_x = 0.003f;
    forced.force_y = -0.001f;
    forced.force_z = 0.002f;
    float f[19], g[19];
    some_populations(f);
    memcpy(g, f, sizeof g);
    collide(g, FLUID, 0, &forced);
    EXPECT_NEAR(sum(g), sum(f), 5e-8);
    EXPECT_NEAR(momentum_x(g) - momentum_x(f), 0.003, 5e-8);
    EXPECT_NEAR(momentum_y(g) - momentum_y(f), -0.001, 5e-8);
    EXPECT_NEAR(momentum_z(g) - momentum_z(f), 0.002, 5e-8);
}

TEST(velocity_includes_half_the_force)
{
    Physics forced = plain;
    forced.force_x = 0.004f;
    forced.force_y = -0.006f;
    forced.force_z = 0.008f;
    const float f[19] = {0.0f};
    EXPECT_NEAR(moments(f, &forced).ux, 0.002, 1e-9);
    EXPECT_NEAR(moments(f, &forced).uy, -0.003, 1e-9);
    EXPECT_NEAR(moments(f, &forced).uz, 0.004, 1e-9);
}

TEST(equilibrium_is_a_fixed_point_of_collide)
{
    float f[19];
    for (int i = 0; i < 19; i++)
        f[i] = equilibrium(i, -0.01f, 0.08f, 0.02f, -0.05f);
    float g[19];
    memcpy(g, f, sizeof g);
    collide(g, FLUID, 0, &plain);
    for (int i = 0; i < 19; i++)
        EXPECT_NEAR(g[i], f[i], 2e-8);
}

TEST(collide_relaxes_by_omega)
{
    float f[19], g[19];
    some_populations(f);
    memcpy(g, f, sizeof g);
    collide(g, FLUID, 0, &plain);
    const Moments m = moments(f, &plain);
    for (int i = 0; i < 19; i++)
        EXPECT_NEAR(g[i] - f[i], 1.25 * (equilibrium(i, m.drho, m.ux, m.uy, m.uz) - f[i]), 5e-8);
}

/** Collides populations that were turned or mirrored, and checks that the result is turned or mirrored. */
static void expect_symmetry(const int map[19])
{
    float f[19], image[19];
    some_populations(f);
    for (int i = 0; i < 19; i++)
        image[map[i]] = f[i];
    collide(f, FLUID, 0, &plain);
    collide(image, FLUID, 0, &plain);
    for (int i = 0; i < 19; i++)
        EXPECT_NEAR(image[map[i]], f[i], 2e-8);
}

/** The direction with these components. */
static int direction(int x, int y, int z)
{
    int i = 0;
    while (ex(i) != x || ey(i) != y || ez(i) != z)
        i++;
    return i;
}

TEST(collide_does_not_know_one_axis_from_another)
{
    int turn[19], exchange[19];
    for (int i = 0; i < 19; i++) {
        turn[i] = direction(ez(i), ex(i), ey(i));
        exchange[i] = direction(ey(i), ex(i), ez(i));
    }
    expect_symmetry(turn);
    expect_symmetry(exchange);
}

TEST(collide_does_not_know_left_from_right)
{
    int mirror[19];
    for (int i = 0; i < 19; i++)
        mirror[i] = direction(-ex(i), ey(i), ez(i));
    expect_symmetry(mirror);
}

TEST(open_cells_take_the_prescribed_velocity)
{
    Physics open = plain;
    open.open_x = 0.06f;
    open.open_y = -0.02f;
    float f[19];
    some_populations(f);
    collide(f, OPEN, 3, &open);
    const Moments m = moments(f, &plain);
    EXPECT_NEAR(m.drho, 0.0, 2e-7);
    EXPECT_NEAR(m.ux, 0.06, 2e-7);
    EXPECT_NEAR(m.uy, -0.02, 2e-7);
    EXPECT_NEAR(m.uz, 0.0, 2e-7);
}

TEST(open_cells_can_follow_a_parabola)
{
    Physics open = plain;
    open.open_x = 0.06f;
    open.open_centre = 10.0f;
    open.open_curvature = 0.01f;
    float f[19];
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
    float f[19];
    for (int i = 0; i < 19; i++)
        f[i] = equilibrium(i, 0.03f, 0.06f, 0.0f, 0.0f);
    for (int i = 0; i < 19; i++)
        if (ex(i) == 1)
            f[i] = 0.07f; // populations from beyond the border do not count
    collide(f, INFLOW, 3, &open);
    const Moments m = moments(f, &plain);
    EXPECT_NEAR(m.drho, 0.03, 3e-7);
    EXPECT_NEAR(m.ux, 0.06, 3e-7);
    EXPECT_NEAR(m.uy, 0.0, 3e-7);
    EXPECT_NEAR(m.uz, 0.0, 3e-7);
    collide(f, OPEN, 3, &open); // while open cells have density 1
    EXPECT_NEAR(moments(f, &plain).drho, 0.0, 3e-7);
}

TEST(outflow_takes_its_velocity_from_the_fluid)
{
    Physics open = plain;
    open.open_x = 0.06f;
    float f[19];
    for (int i = 0; i < 19; i++)
        f[i] = equilibrium(i, 0.0f, 0.08f, -0.03f, 0.05f);
    for (int i = 0; i < 19; i++)
        if (ex(i) == -1)
            f[i] = 0.07f; // populations from beyond the border do not count
    collide(f, OUTFLOW, 3, &open);
    const Moments m = moments(f, &plain);
    EXPECT_NEAR(m.drho, 0.0, 3e-7);
    EXPECT_NEAR(m.ux, 0.08, 3e-7);
    EXPECT_NEAR(m.uy, -0.015, 3e-7);
    EXPECT_NEAR(m.uz, 0.025, 3e-7);
}

TEST(nan_survives_collide)
{
    float f[19] = {0.0f};
    f[4] = NAN;
    collide(f, FLUID, 0, &plain);
    for (int i = 0; i < 19; i++)
        EXPECT(isnan(f[i]));
}

TEST(populations_move_to_the_neighbour)
{
    const CellType type[CELLS] = {FLUID};
    for (int i = 0; i < 19; i++) {
        const Destination destination = boundary(&plain, type, 2, 1, 1, i);
        EXPECT((int)destination.cell == at(2 + ex(i), 1 + ey(i), 1 + ez(i)));
        EXPECT(destination.direction == i);
        EXPECT(destination.gain == 0.0f);
    }
}

TEST(populations_leave_and_enter_again)
{
    const CellType type[CELLS] = {FLUID};
    EXPECT((int)boundary(&plain, type, 4, 3, 1, 7).cell == at(0, 0, 1));
    EXPECT((int)boundary(&plain, type, 0, 2, 1, 2).cell == at(4, 2, 1));
    EXPECT((int)boundary(&plain, type, 2, 3, 2, 15).cell == at(2, 0, 0));
    EXPECT((int)boundary(&plain, type, 2, 0, 0, 16).cell == at(2, 3, 2));
    EXPECT((int)boundary(&plain, type, 4, 1, 0, 13).cell == at(0, 1, 2));
}

TEST(a_wall_sends_populations_back)
{
    for (int i = 1; i < 19; i++) {
        CellType type[CELLS] = {FLUID};
        type[at(2 + ex(i), 1 + ey(i), 1 + ez(i))] = WALL;
        const Destination destination = boundary(&plain, type, 2, 1, 1, i);
        EXPECT((int)destination.cell == at(2, 1, 1));
        EXPECT(destination.direction == opposite(i));
        EXPECT(destination.gain == 0.0f);
    }
}

TEST(a_moving_wall_adds_its_gain)
{
    Physics lid = plain;
    for (int i = 0; i < 19; i++)
        lid.wall_gain[i] = (float)i;
    for (int i = 1; i < 19; i++) {
        CellType type[CELLS] = {FLUID};
        type[at(2 + ex(i), 1 + ey(i), 1 + ez(i))] = MOVING_WALL;
        const Destination destination = boundary(&lid, type, 2, 1, 1, i);
        EXPECT((int)destination.cell == at(2, 1, 1));
        EXPECT(destination.direction == opposite(i));
        EXPECT(destination.gain == (float)i);
    }
}

TEST(still_walls_and_bodies_add_nothing)
{
    Physics lid = plain;
    for (int i = 0; i < 19; i++)
        lid.wall_gain[i] = (float)i;
    for (int i = 1; i < 19; i++) {
        CellType type[CELLS] = {FLUID};
        for (int kind = 0; kind < 2; kind++) {
            type[at(2 + ex(i), 1 + ey(i), 1 + ez(i))] = kind == 0 ? WALL : BODY;
            const Destination destination = boundary(&lid, type, 2, 1, 1, i);
            EXPECT((int)destination.cell == at(2, 1, 1));
            EXPECT(destination.direction == opposite(i));
            EXPECT(destination.gain == 0.0f);
        }
    }
}

TEST(open_cells_are_no_walls)
{
    CellType type[CELLS] = {FLUID};
    type[at(3, 1, 2)] = OPEN;
    EXPECT((int)boundary(&plain, type, 2, 1, 1, 11).cell == at(3, 1, 2));
}

TEST(no_two_populations_land_in_one_slot)
{
    CellType type[CELLS];
    for (int cell = 0; cell < CELLS; cell++)
        type[cell] = cell % 7 == 6 || cell == 13 || cell == 19 ? WALL : FLUID;
    int landed[CELLS][19] = {{0}};
    for (int cell = 0; cell < CELLS; cell++)
        for (int i = 0; i < 19 && !is_wall(type[cell]); i++) {
            const Destination destination = boundary(&plain, type, cell % 5, cell / 5 % 4, cell / 20, i);
            landed[destination.cell][destination.direction]++;
        }
    for (int cell = 0; cell < CELLS; cell++)
        for (int i = 0; i < 19; i++)
            EXPECT(landed[cell][i] == !is_wall(type[cell]));
}

TEST(cells_are_counted_beyond_2_to_the_31)
{
    const Physics huge = {.width = 2048, .height = 2048, .depth = 1023};
    const size_t plane = (size_t)huge.width * huge.height, cells = plane * huge.depth, last = cells - 1;
    CellType *type =
        mmap(NULL, cells, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (type == MAP_FAILED)
        SKIP("the address space has no room for a huge grid");
    type[last] = WALL;
    EXPECT(boundary(&huge, type, 2047, 2047, 1021, 5).cell == last - plane);
    EXPECT(boundary(&huge, type, 2047, 2047, 1021, 5).direction == 6);
    EXPECT(boundary(&huge, type, 2046, 2047, 1022, 1).cell == last - 1);
    EXPECT(boundary(&huge, type, 2046, 2047, 1022, 2).cell == last - 2);
    EXPECT(boundary(&huge, type, 2046, 0, 0, 16).cell == last - 1);
    munmap(type, cells);
}
