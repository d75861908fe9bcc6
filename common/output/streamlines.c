#include "output/streamlines.h"

#include "host/allocate.h"

#include <math.h>
#include <stdlib.h>

enum { LINES = 14, WEAK_LINES = 4 };

/** Below this share of the other direction's strength it is rounding that turns. */
static const double weakest = 1e-4;

/** The lines that are drawn: at (k + 1/2) step. */
typedef struct {
    double step, least, most;
} Levels;

/** psi with ux = d(psi)/dy, uy = -d(psi)/dx, by the trapezoidal rule along the lowest row, and then up. */
static float *create_stream_function(const Snapshot *r)
{
    const int width = r->scenario->width, height = r->scenario->height;
    float *psi = allocate((size_t)width * height * sizeof *psi);
    double corner = 0.0;
    for (int x = 0; x < width; x++) {
        if (x > 0)
            corner -= 0.5 * (moments_at(r, x - 1, 0).uy + moments_at(r, x, 0).uy);
        double sum = corner;
        for (int y = 0; y < height; y++) {
            if (y > 0)
                sum += 0.5 * (moments_at(r, x, y - 1).ux + moments_at(r, x, y).ux);
            psi[(size_t)y * width + x] = (float)sum;
        }
    }
    return psi;
}

/** Draws the pieces of a line within a triangle: at most one, between two of its sides. */
static void draw_in_triangle(const double *x, const double *y, const double *psi, double level,
                             DrawPiece draw, void *target)
{
    double px[3], py[3];
    int found = 0;
    for (int n = 0; n < 3; n++) {
        const int m = (n + 1) % 3;
        if ((psi[n] < level) == (psi[m] < level))
            continue;
        const double t = (level - psi[n]) / (psi[m] - psi[n]);
        px[found] = x[n] + t * (x[m] - x[n]);
        py[found++] = y[n] + t * (y[m] - y[n]);
    }
    if (found == 2)
        draw(target, px[0], py[0], px[1], py[1]);
}

/** Draws all lines between the centres of four cells, which a diagonal parts into two triangles. */
static void draw_in_square(int x, int y, const double corner[4], const Levels *levels, DrawPiece draw,
                           void *target)
{
    static const int triangles[2][3] = {
        {0, 1, 3},
        {0, 3, 2}
    };
    const double low = fmin(fmin(corner[0], corner[1]), fmin(corner[2], corner[3]));
    const double high = fmax(fmax(corner[0], corner[1]), fmax(corner[2], corner[3]));
    const double first = floor(fmax(low, levels->least) / levels->step - 0.5) + 1.0;
    for (double k = first; (k + 0.5) * levels->step <= fmin(high, levels->most); k++)
        for (int n = 0; n < 2; n++) {
            const int *c = triangles[n];
            const double px[3] = {x + c[0] % 2, x + c[1] % 2, x + c[2] % 2};
            const double py[3] = {y + c[0] / 2, y + c[1] / 2, y + c[2] / 2};
            const double psi[3] = {corner[c[0]], corner[c[1]], corner[c[2]]};
            draw_in_triangle(px, py, psi, (k + 0.5) * levels->step, draw, target);
        }
}

static void draw_levels(const Scenario *s, const float *psi, const Levels *levels, DrawPiece draw,
                        void *target)
{
    for (int y = 0; y + 1 < s->height; y++)
        for (int x = 0; x + 1 < s->width; x++) {
            const size_t cell = (size_t)y * s->width + x;
            double corner[4];
            int solid = 0;
            for (int n = 0; n < 4; n++) {
                const size_t at = cell + (size_t)(n / 2) * s->width + n % 2;
                corner[n] = psi[at];
                solid |= is_wall(s->type[at]) || !isfinite(psi[at]);
            }
            if (!solid)
                draw_in_square(x, y, corner, levels, draw, target);
        }
}

void draw_streamlines(const Snapshot *r, DrawPiece draw, void *target)
{
    const Scenario *s = r->scenario;
    const size_t cells = cell_count(s);
    float *psi = create_stream_function(r);
    double low = 0.0, high = 0.0;
    for (size_t cell = 0; cell < cells; cell++)
        if (!is_wall(s->type[cell]) && isfinite(psi[cell])) {
            low = fmin(low, psi[cell]);
            high = fmax(high, psi[cell]);
        }
    const double strong = fmax(-low, high), weak = fmin(-low, high), step = strong / LINES;
    if (strong > 0.0)
        draw_levels(s, psi, &(Levels){step, low, high}, draw, target);
    if (weak < 0.5 * step && weak > weakest * strong)
        draw_levels(s, psi, &(Levels){weak / WEAK_LINES, high > -low ? low : 0.0, high > -low ? 0.0 : high},
                    draw, target);
    free(psi);
}
