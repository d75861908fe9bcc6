#include "studies/accuracy.h"

#include <math.h>

/** Adds |a - b|^2 to sums[0] and |b|^2 to sums[1], velocities only. */
static void add_difference(Moments a, Moments b, double sums[2])
{
    const double dx = (double)a.ux - b.ux, dy = (double)a.uy - b.uy, dz = (double)a.uz - b.uz;
    sums[0] += dx * dx + dy * dy + dz * dz;
    sums[1] += (double)b.ux * b.ux + (double)b.uy * b.uy + (double)b.uz * b.uz;
}

double relative_change(const Snapshot *r, const Moments *previous)
{
    double sums[2] = {0.0, 0.0};
    for (size_t cell = 0; cell < cell_count(r->scenario); cell++)
        if (!is_wall(r->scenario->type[cell]))
            add_difference(r->moments[cell], previous[cell], sums);
    return sums[0] == 0.0 ? 0.0 : sqrt(sums[0] / sums[1]); // at rest both times: nothing has changed
}

double change_by_rounding(const Stage *stage)
{
    return 2.0 * stage->epsilon;
}

double exact_error(const Snapshot *r)
{
    const Scenario *s = r->scenario;
    if (!s->flow->exact)
        return NAN;
    double sums[2] = {0.0, 0.0};
    for (size_t cell = 0; cell < cell_count(s); cell++)
        if (!is_wall(s->type[cell]))
            add_difference(r->moments[cell], exact_at(s, (double)r->step, position_of(s, cell)), sums);
    return sqrt(sums[0] / sums[1]);
}

double pressure_error(const Snapshot *r)
{
    const Scenario *s = r->scenario;
    if (!s->flow->exact)
        return NAN;
    double count = 0.0, sum[2] = {0.0, 0.0}, square[2] = {0.0, 0.0};
    for (size_t cell = 0; cell < cell_count(s); cell++)
        if (!is_wall(s->type[cell])) {
            const double exact = exact_at(s, (double)r->step, position_of(s, cell)).drho;
            const double values[2] = {r->moments[cell].drho - exact, exact};
            for (int n = 0; n < 2; n++) {
                sum[n] += values[n];
                square[n] += values[n] * values[n];
            }
            count++;
        }
    return sqrt((square[0] - sum[0] * sum[0] / count) / (square[1] - sum[1] * sum[1] / count));
}

double exact_share(const Snapshot *r)
{
    const Scenario *s = r->scenario;
    if (!s->flow->exact)
        return NAN;
    double product = 0.0, square = 0.0;
    for (size_t cell = 0; cell < cell_count(s); cell++)
        if (!is_wall(s->type[cell])) {
            const Moments m = r->moments[cell], exact = exact_at(s, (double)r->step, position_of(s, cell));
            product += (double)m.ux * exact.ux + (double)m.uy * exact.uy + (double)m.uz * exact.uz;
            square += (double)exact.ux * exact.ux + (double)exact.uy * exact.uy + (double)exact.uz * exact.uz;
        }
    return product / square;
}
