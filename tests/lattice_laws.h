/**
 * @file lattice_laws.h
 * Tests that d2q9.c and d3q19.c run: what holds on either lattice. They include this file behind the lattice, and
 * define what its functions differ in: e, equilibrium_of, sums_of and boundary_at.
 */
#ifndef LATTICE_LAWS_H
#define LATTICE_LAWS_H

#include "check.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { CELLS = 5 * 4 * DEPTH };

static const Physics plain = {.width = 5, .height = 4, .depth = DEPTH, .omega = 1.25f};

/** A cell with a neighbour in every direction. */
static const Position middle = {2, 1, DEPTH / 2};

/** The number of a cell. */
static int number_of(int x, int y, int z)
{
    return (z * 4 + y) * 5 + x;
}

/** The number of the neighbour of the cell in the middle. */
static int neighbour(int i)
{
    return number_of(middle.x + e(i, 0), middle.y + e(i, 1), middle.z + e(i, 2));
}

/** Small reproducible populations, all different. */
static void some_populations(float *f)
{
    for (int i = 0; i < DIRECTIONS; i++)
        f[i] = 0.004f * (float)((7 * i * i + 3 * i + 1) % 23 - 11);
}

static void make_equilibrium(float *f, Moments m)
{
    for (int i = 0; i < DIRECTIONS; i++)
        f[i] = equilibrium_of(i, m);
}

static void expect_moments(Moments found, Moments expected, double tolerance)
{
    EXPECT_NEAR(found.drho, expected.drho, tolerance);
    EXPECT_NEAR(found.ux, expected.ux, tolerance);
    EXPECT_NEAR(found.uy, expected.uy, tolerance);
    EXPECT_NEAR(found.uz, expected.uz, tolerance);
}

/** Moments of a plane flow have no component along z. */
static Moments in_space(float drho, float ux, float uy, float uz)
{
    return (Moments){drho, ux, uy, DEPTH > 1 ? uz : 0.0f};
}

TEST(opposite_points_back)
{
    for (int i = 0; i < DIRECTIONS; i++)
        for (int axis = 0; axis < 3; axis++)
            EXPECT(e(opposite(i), axis) == -e(i, axis));
}

TEST(sums_are_over_all_directions)
{
    float f[DIRECTIONS];
    some_populations(f);
    double sums[4] = {0.0};
    for (int i = 0; i < DIRECTIONS; i++) {
        sums[0] += f[i];
        for (int axis = 0; axis < 3; axis++)
            sums[1 + axis] += e(i, axis) * f[i];
    }
    expect_moments(sums_of(f), (Moments){(float)sums[0], (float)sums[1], (float)sums[2], (float)sums[3]},
                   5e-8);
}

/** In double nothing of these sums is rounded. */
TEST(mass_and_momentum_are_shared_out_to_the_last_bit)
{
    double all = 0.0, product[3][3] = {{0.0}};
    for (int i = 0; i < DIRECTIONS; i++) {
        all += weight_over_cs2(i);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                product[a][b] += e(i, a) * e(i, b) * (double)weight_over_cs2(i);
        EXPECT_NEAR(weight_over_cs2(i), 3.0 * weight(i), 2e-6);
        EXPECT(weight_over_cs2(i) == weight_over_cs2(opposite(i)));
    }
    EXPECT(all == 3.0);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            EXPECT(product[a][b] == (a == b && (a < 2 || DEPTH > 1) ? 1.0 : 0.0));
}

TEST(equilibrium_has_the_moments_it_is_made_of)
{
    const Moments given = in_space(0.02f, 0.05f, -0.03f, 0.04f);
    float f[DIRECTIONS];
    make_equilibrium(f, given);
    expect_moments(moments(f, &plain), given, 3e-7);
}

TEST(equilibrium_stress_is_pressure_plus_momentum_flux)
{
    const Moments given = in_space(0.02f, 0.05f, -0.03f, 0.04f);
    const double rho = 1.02, u[3] = {given.ux, given.uy, given.uz};
    double flux[3][3] = {{0.0}};
    for (int i = 0; i < DIRECTIONS; i++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                flux[a][b] += e(i, a) * e(i, b) * ((double)equilibrium_of(i, given) + weight(i));
    for (int a = 0; a < (DEPTH > 1 ? 3 : 2); a++)
        for (int b = 0; b < 3; b++)
            EXPECT_NEAR(flux[a][b], (a == b ? rho / 3.0 : 0.0) + rho * u[a] * u[b], 2e-7);
}

TEST(fluid_at_rest_is_all_zeros)
{
    for (int i = 0; i < DIRECTIONS; i++)
        EXPECT(equilibrium_of(i, (Moments){0.0f, 0.0f, 0.0f, 0.0f}) == 0.0f);
}

TEST(collide_conserves_mass_and_momentum)
{
    float f[DIRECTIONS], g[DIRECTIONS];
    some_populations(f);
    memcpy(g, f, sizeof g);
    collide(g, FLUID, 0, &plain);
    EXPECT(g[1] != f[1]);
    expect_moments(sums_of(g), sums_of(f), 5e-8);
}

TEST(collide_adds_the_body_force_to_momentum)
{
    Physics forced = plain;
    forced.force_x = 0.003f;
    forced.force_y = -0.001f;
    forced.force_z = DEPTH > 1 ? 0.002f : 0.0f;
    float f[DIRECTIONS], g[DIRECTIONS];
    some_populations(f);
    memcpy(g, f, sizeof g);
    collide(g, FLUID, 0, &forced);
    const Moments before = sums_of(f), after = sums_of(g);
    expect_moments(
        (Moments){after.drho - before.drho, after.ux - before.ux, after.uy - before.uy, after.uz - before.uz},
        in_space(0.0f, 0.003f, -0.001f, 0.002f), 5e-8);
}

TEST(velocity_includes_half_the_force)
{
    Physics forced = plain;
    forced.force_x = 0.004f;
    forced.force_y = -0.006f;
    forced.force_z = DEPTH > 1 ? 0.008f : 0.0f;
    const float f[DIRECTIONS] = {0.0f};
    expect_moments(moments(f, &forced), in_space(0.0f, 0.002f, -0.003f, 0.004f), 1e-9);
}

TEST(equilibrium_is_a_fixed_point_of_collide)
{
    float f[DIRECTIONS], g[DIRECTIONS];
    make_equilibrium(f, in_space(-0.01f, 0.08f, 0.02f, -0.05f));
    memcpy(g, f, sizeof g);
    collide(g, FLUID, 0, &plain);
    for (int i = 0; i < DIRECTIONS; i++)
        EXPECT_NEAR(g[i], f[i], 2e-8);
}

TEST(collide_relaxes_by_omega)
{
    float f[DIRECTIONS], g[DIRECTIONS];
    some_populations(f);
    memcpy(g, f, sizeof g);
    collide(g, FLUID, 0, &plain);
    const Moments m = moments(f, &plain);
    for (int i = 0; i < DIRECTIONS; i++)
        EXPECT_NEAR(g[i] - f[i], 1.25 * (equilibrium_of(i, m) - f[i]), 5e-8);
}

/** The direction with these components. */
static int direction(int x, int y, int z)
{
    int i = 0;
    while (e(i, 0) != x || e(i, 1) != y || e(i, 2) != z)
        i++;
    return i;
}

/** Collides populations that were turned or mirrored, and checks that the result is turned or mirrored. */
static void expect_symmetry(const int map[DIRECTIONS])
{
    float f[DIRECTIONS], image[DIRECTIONS];
    some_populations(f);
    for (int i = 0; i < DIRECTIONS; i++)
        image[map[i]] = f[i];
    collide(f, FLUID, 0, &plain);
    collide(image, FLUID, 0, &plain);
    for (int i = 0; i < DIRECTIONS; i++)
        EXPECT_NEAR(image[map[i]], f[i], 2e-8);
}

TEST(collide_does_not_know_one_axis_from_another)
{
    int turn[DIRECTIONS], exchange[DIRECTIONS], mirror[DIRECTIONS];
    for (int i = 0; i < DIRECTIONS; i++) {
        turn[i] = DEPTH > 1 ? direction(e(i, 2), e(i, 0), e(i, 1)) : direction(-e(i, 1), e(i, 0), 0);
        exchange[i] = direction(e(i, 1), e(i, 0), e(i, 2));
        mirror[i] = direction(-e(i, 0), e(i, 1), e(i, 2));
    }
    expect_symmetry(turn);
    expect_symmetry(exchange);
    expect_symmetry(mirror);
}

TEST(open_cells_take_the_prescribed_velocity)
{
    Physics open = plain;
    open.open_x = 0.06f;
    open.open_y = -0.02f;
    float f[DIRECTIONS];
    some_populations(f);
    collide(f, OPEN, 3, &open);
    expect_moments(moments(f, &plain), (Moments){0.0f, 0.06f, -0.02f, 0.0f}, 2e-7);
}

TEST(open_cells_can_follow_a_parabola)
{
    Physics open = plain;
    open.open_x = 0.06f;
    open.open_centre = 10.0f;
    open.open_curvature = 0.01f;
    const int rows[] = {10, 5, 20};
    const double speeds[] = {0.06, 0.045, 0.0};
    for (int n = 0; n < 3; n++) {
        float f[DIRECTIONS];
        collide(f, OPEN, rows[n], &open);
        EXPECT_NEAR(moments(f, &plain).ux, speeds[n], 2e-7);
    }
}

/** Puts populations from beyond the border, which must not count, into an equilibrium. */
static void make_border(float *f, Moments m, int from)
{
    make_equilibrium(f, m);
    for (int i = 0; i < DIRECTIONS; i++)
        if (e(i, 0) == from)
            f[i] = 0.07f;
}

TEST(inflow_takes_its_density_from_the_fluid)
{
    Physics open = plain;
    open.open_x = 0.06f;
    float f[DIRECTIONS];
    make_border(f, (Moments){0.03f, 0.06f, 0.0f, 0.0f}, 1);
    collide(f, INFLOW, 3, &open);
    expect_moments(moments(f, &plain), (Moments){0.03f, 0.06f, 0.0f, 0.0f}, 3e-7);
    collide(f, OPEN, 3, &open); // while open cells have density 1
    EXPECT_NEAR(moments(f, &plain).drho, 0.0, 3e-7);
}

TEST(outflow_takes_its_velocity_from_the_fluid)
{
    Physics open = plain;
    open.open_x = 0.06f;
    float f[DIRECTIONS];
    make_border(f, in_space(0.0f, 0.08f, -0.03f, 0.05f), -1);
    collide(f, OUTFLOW, 3, &open);
    expect_moments(moments(f, &plain), in_space(0.0f, 0.08f, -0.015f, 0.025f), 3e-7);
}

TEST(nan_survives_collide)
{
    float f[DIRECTIONS] = {0.0f};
    f[4] = NAN;
    collide(f, FLUID, 0, &plain);
    for (int i = 0; i < DIRECTIONS; i++)
        EXPECT(isnan(f[i]));
}

static void expect_destination(Destination found, int cell, int direction, float gain)
{
    EXPECT((int)found.cell == cell && (int)found.direction == direction && found.gain == gain);
}

TEST(populations_move_to_the_neighbour)
{
    const CellType type[CELLS] = {FLUID};
    for (int i = 0; i < DIRECTIONS; i++)
        expect_destination(boundary_at(&plain, type, middle, i), neighbour(i), i, 0.0f);
}

/** Walls and bodies that stand still add nothing. */
TEST(a_wall_sends_populations_back_and_adds_its_gain_if_it_moves)
{
    const CellType walls[] = {WALL, MOVING_WALL, BODY};
    Physics lid = plain;
    for (int i = 0; i < DIRECTIONS; i++)
        lid.wall_gain[i] = (float)i;
    for (int n = 0; n < 3; n++)
        for (int i = 1; i < DIRECTIONS; i++) {
            CellType type[CELLS] = {FLUID};
            type[neighbour(i)] = walls[n];
            expect_destination(boundary_at(&lid, type, middle, i), number_of(middle.x, middle.y, middle.z),
                               opposite(i), walls[n] == MOVING_WALL ? (float)i : 0.0f);
        }
}

TEST(open_cells_are_no_walls)
{
    CellType type[CELLS] = {FLUID};
    for (int i = 1; i < DIRECTIONS; i++) {
        type[neighbour(i)] = OPEN;
        expect_destination(boundary_at(&plain, type, middle, i), neighbour(i), i, 0.0f);
    }
    EXPECT(!is_wall(FLUID) && !is_wall(OPEN) && !is_wall(INFLOW) && !is_wall(OUTFLOW));
    EXPECT(!is_opening(FLUID) && is_opening(OPEN) && is_opening(OUTFLOW) && !is_opening(WALL) &&
           !is_opening(BODY));
    EXPECT(is_wall(WALL) && is_wall(MOVING_WALL) && is_wall(BODY));
}

TEST(no_two_populations_land_in_one_slot)
{
    CellType type[CELLS];
    for (int cell = 0; cell < CELLS; cell++)
        type[cell] = cell % 7 == 6 || cell == 19 ? WALL : FLUID;
    int landed[CELLS][DIRECTIONS] = {{0}};
    for (int cell = 0; cell < CELLS; cell++)
        for (int i = 0; i < DIRECTIONS && !is_wall(type[cell]); i++) {
            const Position at = {cell % 5, cell / 5 % 4, cell / 20};
            const Destination destination = boundary_at(&plain, type, at, i);
            landed[destination.cell][destination.direction]++;
        }
    for (int cell = 0; cell < CELLS; cell++)
        for (int i = 0; i < DIRECTIONS; i++)
            EXPECT(landed[cell][i] == !is_wall(type[cell]));
}

#endif
