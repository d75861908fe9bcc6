/**
 * @file d3q19.c
 * The lattice in space: what holds on either lattice (lattice_laws.h), and what is its own.
 */
#include "lattice/d3q19.h"
#include "flow/bodies.h"

enum { DEPTH = 3 };

static int e(int i, int axis)
{
    return axis == 0 ? ex(i) : axis == 1 ? ey(i) : ez(i);
}

static float equilibrium_of(int i, Moments m)
{
    return equilibrium(i, m.drho, m.ux, m.uy, m.uz);
}

/** Mass and momentum. */
static Moments sums_of(const float *f)
{
    return (Moments){sum(f), momentum_x(f), momentum_y(f), momentum_z(f)};
}

static Destination boundary_at(const Physics *physics, const CellType *type, Position at, int i)
{
    return boundary(physics, type, at.x, at.y, at.z, i);
}

#include "lattice_laws.h"

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

TEST(dot_is_the_scalar_product)
{
    for (int i = 0; i < 19; i++)
        EXPECT(dot(i, 0.25f, 0.75f, 0.125f) ==
               (float)ex(i) * 0.25f + (float)ey(i) * 0.75f + (float)ez(i) * 0.125f);
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

/** Sum of the products e_ia e_ib f_i. */
static double flux(const float *f, int a, int b)
{
    double sum = 0.0;
    for (int i = 0; i < 19; i++)
        sum += e(i, a) * e(i, b) * (double)f[i];
    return sum;
}

/** Guo, Zheng & Shi 2002: the force adds F to the momentum and (1 - omega / 2) (u F + F u) to its flux, and the
 * velocity contains half of it. */
TEST(a_force_that_changes_acts_on_momentum_and_its_flux)
{
    const Physics physics = {.omega = 0.8f};
    const float force[3] = {0.01f, -0.02f, 0.005f};
    float f[19], after[19], equal[19], u[3];
    set_equilibrium(f, (Moments){0.1f, 0.05f, -0.1f, 0.02f});
    f[7] += 0.003f;
    f[18] -= 0.002f;
    memcpy(after, f, sizeof f);
    collide_with_force(after, force, u, &physics);
    const float momentum[3] = {momentum_x(f), momentum_y(f), momentum_z(f)},
                gained[3] = {momentum_x(after), momentum_y(after), momentum_z(after)};
    EXPECT_NEAR(sum(after), sum(f), 1e-7);
    for (int a = 0; a < 3; a++) {
        EXPECT_NEAR(u[a], (momentum[a] + 0.5f * force[a]) / (1.0f + sum(f)), 1e-7);
        EXPECT_NEAR(gained[a], momentum[a] + force[a], 1e-7);
    }
    set_equilibrium(equal, (Moments){sum(f), u[0], u[1], u[2]});
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            EXPECT_NEAR(flux(after, a, b),
                        0.2 * flux(f, a, b) + 0.8 * flux(equal, a, b) +
                            0.6 * (u[a] * force[b] + u[b] * force[a]),
                        1e-7);
}

TEST(populations_leave_and_enter_again)
{
    const CellType type[CELLS] = {FLUID};
    EXPECT((int)boundary(&plain, type, 4, 3, 1, 7).cell == number_of(0, 0, 1));
    EXPECT((int)boundary(&plain, type, 0, 2, 1, 2).cell == number_of(4, 2, 1));
    EXPECT((int)boundary(&plain, type, 2, 3, 2, 15).cell == number_of(2, 0, 0));
    EXPECT((int)boundary(&plain, type, 2, 0, 0, 16).cell == number_of(2, 3, 2));
    EXPECT((int)boundary(&plain, type, 4, 1, 0, 13).cell == number_of(0, 1, 2));
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
