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
    const int table[19] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
    return table[i];
}

// The direction that points the other way.
static int my_opposite(int i)
{
    return i == 0 ? 0 : i % 2 == 1 ? i + 1 : i - 1;
}

// Where population i that leaves the fluid cell (x, y, z) after the collision is one step later.
static Destination my_boundary(const Physics *physics, const CellType *type, int x, int y, int z, int i)
{
    const CellNumber width = physics->width, height = physics->height;
    const int nx = wrap(x + my_ex(i), physics->width), ny = wrap(y + my_ey(i), physics->height);
    const int nz = wrap(z + my_ez(i), physics->depth);
    const CellNumber cell = (z * height + y) * width + x, neighbour = (nz * height + ny) * width + nx;
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
        const Destination source = my_boundary(physics, type, x, y, z, i);
        const int direction = my_opposite(source.direction);
        f[my_opposite(i)] = from[19 * (size_t)source.cell + direction] + source.gain;
    }
}
