#include "accuracy.h"

#include "ghia.h"

#include <math.h>
#include <string.h>

/** Adds |a - b|^2 to sums[0] and |b|^2 to sums[1], velocities only. */
static void add_difference(Moments a, Moments b, double sums[2])
{
    const double dx = (double)a.ux - b.ux, dy = (double)a.uy - b.uy;
    sums[0] += dx * dx + dy * dy;
    sums[1] += (double)b.ux * b.ux + (double)b.uy * b.uy;
}

double relative_change(const Result *r, const Moments *previous)
{
    double sums[2] = {0.0, 0.0};
    for (size_t cell = 0; cell < cell_count(r->scenario); cell++)
        if (!is_wall(r->scenario->type[cell]))
            add_difference(r->moments[cell], previous[cell], sums);
    return sums[0] == 0.0 ? 0.0 : sqrt(sums[0] / sums[1]); // at rest both times: nothing has changed
}

double exact_error(const Result *r)
{
    const Scenario *s = r->scenario;
    if (!s->flow->exact)
        return NAN;
    double sums[2] = {0.0, 0.0};
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++)
            if (!is_wall(s->type[(size_t)y * s->width + x]))
                add_difference(moments_at(r, x, y), s->flow->exact(s, (double)r->step, x, y), sums);
    return sqrt(sums[0] / sums[1]);
}

/* ---- Along the centre lines of a cavity ---- */

/**
 * The cell before a position along one axis of a closed box, and the share of the cell after it. A wall's
 * velocity belongs half a cell outside the fluid, not to the centre of its cell.
 */
static int cell_before(double position, int size, double *share)
{
    const int cell = (int)fmin(position, size - 2);
    *share = position - cell;
    if (cell == 0)
        *share = 2.0 * *share - 1.0;
    else if (cell == size - 2)
        *share *= 2.0;
    return cell;
}

/** Velocity at (x, y) in cells, bilinear between cell centres and walls. */
static double sample(const Result *r, double x, double y, char component)
{
    const Scenario *s = r->scenario;
    double share[2], value = 0.0;
    const int x0 = cell_before(x, s->width, &share[0]), y0 = cell_before(y, s->height, &share[1]);
    for (int corner = 0; corner < 4; corner++) {
        const int right = corner % 2, up = corner / 2;
        const Moments m = moments_at(r, x0 + right, y0 + up);
        value += (right ? share[0] : 1.0 - share[0]) * (up ? share[1] : 1.0 - share[1]) *
                 (component == 'u' ? m.ux : m.uy);
    }
    return value;
}

double ghia_deviation(const Result *r, char line)
{
    const Scenario *s = r->scenario;
    const int re100 = fabs(s->re - 100.0) < 1e-6, re1000 = fabs(s->re - 1000.0) < 1e-6;
    if (strcmp(s->flow->name, "cavity") != 0 || s->width != s->height || !(re100 || re1000))
        return NAN;
    double largest = 0.0;
    for (int n = 1; n < GHIA_POINTS - 1; n++) {
        const GhiaPoint *point = line == 'u' ? &ghia_u[n] : &ghia_v[n];
        const double centre = 0.5 * (s->width - 1), along = 0.5 + point->node / 128.0 * s->length;
        const double value = line == 'u' ? sample(r, centre, along, 'u') : sample(r, along, centre, 'v');
        const double deviation = fabs(value / s->u - (re100 ? point->re100 : point->re1000));
        if (isnan(deviation))
            return NAN;
        largest = fmax(largest, deviation);
    }
    return largest;
}
