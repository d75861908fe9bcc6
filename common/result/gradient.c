#include "result/gradient.h"

static Moments moments_beside(const Result *r, Position at, int axis, int step)
{
    int *const along = axis == 0 ? &at.x : axis == 1 ? &at.y : &at.z;
    *along += step;
    return r->moments[cell_at(r->scenario, at)];
}

/** The derivative of the velocity along an axis. */
static void derive(const Result *r, Position at, int axis, Gradient *g)
{
    const int n = axis == 0 ? at.x : axis == 1 ? at.y : at.z;
    const int before = n > 0, after = n < side_of(r->scenario, axis) - 1, distance = before + after;
    const Moments a = moments_beside(r, at, axis, -before), b = moments_beside(r, at, axis, after);
    const float difference[3] = {(float)(b.ux - a.ux), (float)(b.uy - a.uy), (float)(b.uz - a.uz)};
    for (int i = 0; i < 3; i++)
        g->u[i][axis] = distance ? difference[i] / (float)distance : 0.0f;
}

Gradient gradient_at(const Result *r, Position at)
{
    Gradient g;
    for (int axis = 0; axis < 3; axis++)
        derive(r, at, axis, &g);
    return g;
}

float vorticity(const Gradient *g, int axis)
{
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    return g->u[last][next] - g->u[next][last];
}

float q_criterion(const Gradient *g)
{
    float sum = 0.0f;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += g->u[i][j] * g->u[j][i];
    return -0.5f * sum;
}
