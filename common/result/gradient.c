#include "result/gradient.h"

/** What stands on one side of a cell, along an axis: a velocity, and how far from the cell's centre. */
typedef struct {
    Real u[3], distance;
} Beside;

static Beside find_beside(const Snapshot *r, Position at, CellType type, int axis, int step)
{
    const Scenario *s = r->scenario;
    int *const along = axis == 0 ? &at.x : axis == 1 ? &at.y : &at.z;
    const int next = *along + step, wrapped = wrap(next, side_of(s, axis));
    *along = wrapped;
    const size_t cell = cell_at(s, at);
    const CellType neighbour = s->type[cell];
    const int is_end = next != wrapped && (is_opening(type) || is_opening(neighbour));
    const Real distance = is_end ? 0.0f : is_wall(neighbour) ? 0.5f : 1.0f;
    const Moments m = r->moments[cell];
    return (Beside){
        {m.ux, m.uy, m.uz},
        distance
    };
}

/** The derivative at 0 of the parabola through (-before, a), (0, u), (after, b), or a line through two. */
static Real slope(Real a, Real before, Real u, Real b, Real after)
{
    if (before == after) // central, or no neighbours at all
        return before > 0.0f ? (b - a) / (before + after) : 0.0f;
    if (before == 0.0f || after == 0.0f)
        return before > 0.0f ? (u - a) / before : (b - u) / after;
    return ((b - u) * (before / after) + (u - a) * (after / before)) / (before + after);
}

Gradient gradient_at(const Snapshot *r, Position at)
{
    const size_t cell = cell_at(r->scenario, at);
    const CellType type = r->scenario->type[cell];
    const Moments m = r->moments[cell];
    const Real u[3] = {m.ux, m.uy, m.uz};
    Gradient g = {0};
    for (int axis = 0; axis < 3 && !is_wall(type); axis++) {
        const Beside a = find_beside(r, at, type, axis, -1), b = find_beside(r, at, type, axis, 1);
        for (int i = 0; i < 3; i++)
            g.u[i][axis] = slope(a.u[i], a.distance, u[i], b.u[i], b.distance);
    }
    return g;
}

Real vorticity(const Gradient *g, int axis)
{
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    return g->u[last][next] - g->u[next][last];
}

Real q_criterion(const Gradient *g)
{
    Real sum = 0.0f;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += g->u[i][j] * g->u[j][i];
    return -0.5f * sum;
}
