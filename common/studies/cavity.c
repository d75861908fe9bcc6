#include "studies/cavity.h"

#include <math.h>
#include <string.h>

const GhiaPoint ghia_u[GHIA_POINTS] = {
    {0,   0.00000,  0.00000,  0.00000 },
    {7,   -0.03717, -0.18109, -0.20623},
    {8,   -0.04192, -0.20196, -0.22283},
    {9,   -0.04775, -0.22220, -0.23696},
    {13,  -0.06434, -0.29730, -0.27293},
    {22,  -0.10150, -0.38289, -0.25160},
    {36,  -0.15662, -0.27805, -0.10999},
    {58,  -0.21090, -0.10648, -0.00612},
    {64,  -0.20581, -0.06080, 0.00802 },
    {79,  -0.13641, 0.05702,  0.03905 },
    {94,  0.00332,  0.18719,  0.07334 },
    {109, 0.23151,  0.33304,  0.12183 },
    {122, 0.68717,  0.46604,  0.33171 },
    {123, 0.73722,  0.51117,  0.39821 },
    {124, 0.78871,  0.57492,  0.48443 },
    {125, 0.84123,  0.65928,  0.58964 },
    {128, 1.00000,  1.00000,  1.00000 },
};

const GhiaPoint ghia_v[GHIA_POINTS] = {
    {0,   0.00000,  0.00000,  0.00000 },
    {8,   0.09233,  0.27485,  0.21738 },
    {9,   0.10091,  0.29012,  0.22746 },
    {10,  0.10890,  0.30353,  0.23503 },
    {12,  0.12317,  0.32627,  0.24407 },
    {20,  0.16077,  0.37095,  0.22924 },
    {29,  0.17507,  0.33075,  0.17580 },
    {30,  0.17527,  0.32235,  0.16987 },
    {64,  0.05454,  0.02526,  0.03674 },
    {103, -0.24533, -0.31966, -0.15223},
    {110, -0.22445, -0.42665, -0.31117},
    {116, -0.16914, -0.51550, -0.43423},
    {121, -0.10313, -0.39188, -0.33511},
    {122, -0.08864, -0.33714, -0.29032},
    {123, -0.07391, -0.27669, -0.24095},
    {124, -0.05906, -0.21388, -0.18864},
    {128, 0.00000,  0.00000,  0.00000 },
};

int is_cavity(const Scenario *s)
{
    return strcmp(s->flow->name, "cavity") == 0 || strcmp(s->flow->name, "cube") == 0;
}

/** A cavity whose sides are all equal and that is published. */
typedef struct {
    int dimensions;
    double re;
    double extrema[3]; /**< on the centre lines: least u, largest v, least v */
} Published;

enum { SQUARE_100, SQUARE_1000, CUBE_1000, PUBLISHED };

static const Published published[PUBLISHED] = {
    [SQUARE_100] = {2, 100.0,  {-0.21404, 0.17957, -0.25380}},
    [SQUARE_1000] = {2, 1000.0, {-0.38857, 0.37694, -0.52708}},
    [CUBE_1000] = {3, 1000.0, {-0.28038, 0.24665, -0.43502}},
};

/** Which of them a scenario is; PUBLISHED: none. The flow "cube" is plane where its depth is 1. */
static int find_published(const Scenario *s)
{
    const int dimensions = s->depth == 1 ? 2 : 3;
    int n =
        is_cavity(s) && s->width == s->height && (dimensions == 2 || s->width == s->depth) ? 0 : PUBLISHED;
    while (n < PUBLISHED && (published[n].dimensions != dimensions || fabs(s->re - published[n].re) >= 1e-6))
        n++;
    return n;
}

/* ---- Along the centre lines ---- */

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

/** Velocity at (x, y) in cells of a layer, over lid speed, bilinear between cell centres and walls. */
static double sample_layer(const Snapshot *r, double x, double y, int z, char component)
{
    const Scenario *s = r->scenario;
    const Moments *layer = r->moments + (size_t)z * (size_t)s->height * (size_t)s->width;
    double share[2], value = 0.0;
    const int x0 = cell_before(x, s->width, &share[0]), y0 = cell_before(y, s->height, &share[1]);
    for (int corner = 0; corner < 4; corner++) {
        const int right = corner % 2, up = corner / 2;
        const Moments m = layer[(size_t)(y0 + up) * s->width + x0 + right];
        value += (right ? share[0] : 1.0 - share[0]) * (up ? share[1] : 1.0 - share[1]) *
                 (component == 'u' ? m.ux : m.uy);
    }
    return value / s->u;
}

/** The same half way between front and back: the mean of the two layers there, or the one in the middle. */
static double sample(const Snapshot *r, double x, double y, char component)
{
    const int last = r->scenario->depth - 1;
    return 0.5 *
           (sample_layer(r, x, y, last / 2, component) + sample_layer(r, x, y, (last + 1) / 2, component));
}

/** Velocity along a centre line, at a distance in cells: u on the vertical or v on the horizontal one. */
static double on_line(const Snapshot *r, char line, double along)
{
    const double centre = 0.5 * (r->scenario->width - 1);
    return line == 'u' ? sample(r, centre, along, 'u') : sample(r, along, centre, 'v');
}

int ghia_points(const Scenario *s, char line, double *along, double *velocity)
{
    const int which = find_published(s);
    for (int n = 1; which < PUBLISHED && n < GHIA_POINTS - 1; n++) {
        const GhiaPoint *point = line == 'u' ? &ghia_u[n] : &ghia_v[n];
        along[n - 1] = 0.5 + point->node / 128.0 * s->length;
        velocity[n - 1] = which == SQUARE_100    ? point->re100
                          : which == SQUARE_1000 ? point->re1000
                                                 : point->cube;
    }
    return which < PUBLISHED ? GHIA_POINTS - 2 : 0;
}

double ghia_deviation(const Snapshot *r, char line)
{
    double along[GHIA_POINTS], velocity[GHIA_POINTS], largest = 0.0;
    const int count = ghia_points(r->scenario, line, along, velocity);
    if (!count)
        return NAN;
    for (int n = 0; n < count; n++) {
        const double deviation = fabs(on_line(r, line, along[n]) - velocity[n]);
        if (isnan(deviation))
            return NAN;
        largest = fmax(largest, deviation);
    }
    return largest;
}

/* ---- Extrema ---- */

/** The least velocity on a line (sign 1), or the largest (-1): the extremum of the parabola through the cell
 * that has it and its two neighbours. */
static double extremum(const Snapshot *r, char line, int sign)
{
    const int last = r->scenario->width - 2;
    int best = 1;
    for (int n = 1; n <= last; n++) {
        if (isnan(on_line(r, line, n)))
            return NAN;
        if (sign * on_line(r, line, n) < sign * on_line(r, line, best))
            best = n;
    }
    const double at = on_line(r, line, best);
    if (best == 1 || best == last)
        return at;
    const double before = on_line(r, line, best - 1), after = on_line(r, line, best + 1);
    const double slope = 0.5 * (after - before), curvature = before - 2.0 * at + after;
    return at - 0.5 * slope * slope / curvature;
}

double extrema_deviation(const Snapshot *r)
{
    const int which = find_published(r->scenario);
    if (which == PUBLISHED)
        return NAN;
    const double found[3] = {extremum(r, 'u', 1), extremum(r, 'v', -1), extremum(r, 'v', 1)};
    double largest = 0.0;
    for (int n = 0; n < 3; n++) {
        const double deviation = fabs(found[n] - published[which].extrema[n]);
        if (isnan(deviation))
            return NAN;
        largest = fmax(largest, deviation);
    }
    return largest;
}
