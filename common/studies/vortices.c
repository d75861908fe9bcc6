#include "studies/vortices.h"

#include "flow/solutions.h"
#include "host/allocate.h"

#include <math.h>
#include <stdlib.h>

Moments drawn_out_vortices(const Scenario *s, int axis, double t, Position at, Gradient *gradient)
{
    const int position[3] = {at.x, at.y, at.z}, axes[2] = {(axis + 1) % 3, (axis + 2) % 3};
    Constants c = {s->physics, s->u, s->nu};
    c.physics.height = c.physics.width;
    const Position in_plane = {position[axes[0]], position[axes[1]], 0};
    const Solved plane = solve_at(DECAYING_VORTICES, &c, t, in_plane);
    Solved flow = {.drho = plane.drho};
    for (int a = 0; a < 2; a++) {
        flow.u[axes[a]] = plane.u[a];
        for (int b = 0; b < 2; b++)
            flow.du[axes[a]][axes[b]] = plane.du[a][b];
    }
    if (gradient)
        *gradient = gradient_of(&flow);
    return moments_of(&flow);
}

double drawn_out_error(const Snapshot *r, int axis)
{
    const Scenario *s = r->scenario;
    double difference = 0.0, square = 0.0;
    for (size_t cell = 0; cell < cell_count(s); cell++) {
        const Moments m = r->moments[cell],
                      exact = drawn_out_vortices(s, axis, (double)r->step, position_of(s, cell), NULL);
        const double dx = m.ux - exact.ux, dy = m.uy - exact.uy, dz = m.uz - exact.uz;
        difference += dx * dx + dy * dy + dz * dz;
        square += exact.ux * exact.ux + exact.uy * exact.uy + exact.uz * exact.uz;
    }
    return sqrt(difference / square);
}

double kinetic_energy(const Snapshot *r)
{
    const size_t cells = cell_count(r->scenario);
    double sum = 0.0;
    for (size_t cell = 0; cell < cells; cell++) {
        const Moments m = r->moments[cell];
        sum += (double)m.ux * m.ux + (double)m.uy * m.uy + (double)m.uz * m.uz;
    }
    return 0.5 * sum / (double)cells;
}

/** Central difference of fourth order of values one (near) and two cells (far) behind and ahead. */
static double slope(double far_behind, double behind, double ahead, double far_ahead)
{
    return (8.0 * (ahead - behind) - (far_ahead - far_behind)) / 12.0;
}

/** The row that is `along_y` and `along_z` cells away from one; the grid is periodic. */
static const Moments *row_from(const Snapshot *r, int y, int z, int along_y, int along_z)
{
    const Scenario *s = r->scenario;
    const int row_y = (y + along_y + 2 * s->height) % s->height,
              row_z = (z + along_z + 2 * s->depth) % s->depth;
    return r->moments + ((size_t)row_z * (size_t)s->height + (size_t)row_y) * (size_t)s->width;
}

/** |curl u|^2 over a row, summed. Numbers 0 to 3 are cells 2 and 1 behind, 1 and 2 ahead. */
static double squared_curl_of_row(const Snapshot *r, int row_y, int row_z)
{
    static const int away[4] = {-2, -1, 1, 2};
    const int width = r->scenario->width;
    const Moments *row = row_from(r, row_y, row_z, 0, 0), *up[4], *back[4], *x[4], *y[4], *z[4];
    double sum = 0.0;
    for (int n = 0; n < 4; n++) {
        up[n] = row_from(r, row_y, row_z, away[n], 0);
        back[n] = row_from(r, row_y, row_z, 0, away[n]);
    }
    for (int at = 0; at < width; at++) {
        for (int n = 0; n < 4; n++) {
            x[n] = &row[(at + away[n] + 2 * width) % width];
            y[n] = &up[n][at];
            z[n] = &back[n][at];
        }
        const double wx =
            slope(y[0]->uz, y[1]->uz, y[2]->uz, y[3]->uz) - slope(z[0]->uy, z[1]->uy, z[2]->uy, z[3]->uy);
        const double wy =
            slope(z[0]->ux, z[1]->ux, z[2]->ux, z[3]->ux) - slope(x[0]->uz, x[1]->uz, x[2]->uz, x[3]->uz);
        const double wz =
            slope(x[0]->uy, x[1]->uy, x[2]->uy, x[3]->uy) - slope(y[0]->ux, y[1]->ux, y[2]->ux, y[3]->ux);
        sum += wx * wx + wy * wy + wz * wz;
    }
    return sum;
}

double enstrophy(const Snapshot *r)
{
    const Scenario *s = r->scenario;
    double *of_layer = allocate((size_t)s->depth * sizeof *of_layer), sum = 0.0;
#pragma omp parallel for schedule(static) if (cell_count(s) >= PARALLEL_CELLS)
    for (int z = 0; z < s->depth; z++)
        for (int y = 0; y < s->height; y++)
            of_layer[z] += squared_curl_of_row(r, y, z);
    for (int z = 0; z < s->depth; z++)
        sum += of_layer[z];
    free(of_layer);
    return 0.5 * sum / (double)cell_count(s);
}
