// Half-way walls and the moving lid: where a population goes that leaves a cell.
#include "lattice/d2q9.h"

// What population i gains when a wall that moves with (ux, uy) sends it back.
static float my_wall_gain(int i, float ux, float uy)
{
    // TODO(1): the formula of the README
    return 0.0f * dot(i, ux, uy);
}

// Where population i that leaves the fluid cell (x, y) after the collision is one step later.
static Destination my_boundary(const Physics *physics, const CellType *type, int x, int y, int i)
{
    const int nx = wrap(x + ex(i), physics->width), ny = wrap(y + ey(i), physics->height);
    const CellNumber width = physics->width, cell = y * width + x, neighbour = ny * width + nx;
    Destination destination = {neighbour, i, 0.0f}; // correct away from walls

    // TODO(2): send back a population that meets a wall; is_wall(type[...]) tests for one
    (void)cell;

    // TODO(3): a MOVING_WALL adds its gain; physics->wall_gain has the gains of all nine directions
    (void)type;

    return destination;
}
