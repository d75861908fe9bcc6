/**
 * @file d2q9.c
 * The plane lattice: what holds on either lattice (lattice_laws.h), and what is its own.
 */
#include "lattice/d2q9.h"
#include "flow/bodies.h"

enum { DEPTH = 1 };

static int e(int i, int axis)
{
    return axis == 0 ? ex(i) : axis == 1 ? ey(i) : 0;
}

static float equilibrium_of(int i, Moments m)
{
    return equilibrium(i, m.drho, m.ux, m.uy);
}

/** Mass and momentum. */
static Moments sums_of(const float *f)
{
    return (Moments){sum(f), momentum_x(f), momentum_y(f), 0.0f};
}

static Destination boundary_at(const Physics *physics, const CellType *type, Position at, int i)
{
    return boundary(physics, type, at.x, at.y, i);
}

#include "lattice_laws.h"

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

TEST(dot_is_the_scalar_product)
{
    for (int i = 0; i < 9; i++)
        EXPECT(dot(i, 0.3f, 0.7f) == (float)ex(i) * 0.3f + (float)ey(i) * 0.7f);
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

TEST(populations_leave_and_enter_again)
{
    const CellType type[20] = {FLUID};
    EXPECT(boundary(&plain, type, 4, 3, 5).cell == 0);
    EXPECT(boundary(&plain, type, 0, 0, 7).cell == 19);
    EXPECT(boundary(&plain, type, 0, 2, 3).cell == 14);
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
