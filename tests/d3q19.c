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
