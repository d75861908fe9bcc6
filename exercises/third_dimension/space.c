// Streaming on the lattice D3Q19: where the populations of a cell in space go, and where they come from.
#include "lattice/cell.h"

// The 19 velocities, in the order of the drawing in README.md.
static int my_ex(int i)
{
    const int table[19] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
    return table[i];
}

static int my_ey(int i)
{
    const int table[19] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
    return table[i];
}

static int my_ez(int i)
{
    // TODO(1): the z components, from the drawing
    return 0 * i;
}

// The direction that points the other way.
static int my_opposite(int i)
{
    // TODO(1): from the drawing, too; it takes no table
    return i;
}

// Where population i that leaves the fluid cell (x, y, z) after the collision is one step later.
static Destination my_boundary(const Physics *physics, const CellType *type, int x, int y, int z, int i)
{
    const CellNumber width = physics->width, height = physics->height;
    const int nx = wrap(x + my_ex(i), physics->width), ny = wrap(y + my_ey(i), physics->height);
    // TODO(2): these are the numbers of cells in the plane z = 0
    const CellNumber cell = y * width + x, neighbour = ny * width + nx;
    (void)z;
    (void)height;
    (void)my_ez;

    const int wall = is_wall(type[neighbour]);
    const Destination destination = {
        wall ? cell : neighbour,
        wall ? my_opposite(i) : i,
        type[neighbour] == MOVING_WALL ? physics->wall_gain[i] : 0.0f,
    };
    return destination;
}

// The populations that arrive in the fluid cell (x, y, z), from those of all cells after the collision,
// from[19 * cell + i].
static void my_pull(float *f, const float *from, const Physics *physics, const CellType *type, int x, int y,
                    int z)
{
    for (int i = 0; i < 19; i++) {
        // TODO(3): this copies the populations that leave the cell
        const Destination source = my_boundary(physics, type, x, y, z, 0);
        f[i] = from[19 * (size_t)source.cell + i];
    }
}
