// Half-way walls and the moving lid: where a population goes that leaves a cell.
#include "lattice/d2q9.h"

// What population i gains when a wall that moves with (ux, uy) sends it back.
static float my_wall_gain(int i, float ux, float uy)
{
    return -6.0f * weight(i) * dot(i, ux, uy);
}

// Where population i that leaves the fluid cell (x, y) after the collision is one step later.
static Destination my_boundary(const Physics *physics, const CellType *type, int x, int y, int i)
{
    const int nx = wrap(x + ex(i), physics->width), ny = wrap(y + ey(i), physics->height);
    const CellNumber width = physics->width, cell = y * width + x, neighbour = ny * width + nx;
    Destination destination = {neighbour, i, 0.0f}; // correct away from walls

    if (is_wall(type[neighbour])) {
        destination.cell = cell;
        destination.direction = opposite(i);
    }

    if (type[neighbour] == MOVING_WALL)
        destination.gain = physics->wall_gain[i];

    return destination;
}
