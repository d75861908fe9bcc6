#include "result/time_series.h"

#include "host/allocate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

TimeSeries create_time_series(const Scenario *scenario, const Probes *probes)
{
    TimeSeries series = {.probes = probes, .columns = is_in_space(scenario) ? 7 : 5};
    if (scenario->flow->body)
        series.links = find_links(scenario);
    return series;
}

void destroy_time_series(TimeSeries *series)
{
    destroy_links(&series->links);
    free(series->force);
    free(series->velocity);
    series->force = NULL;
    series->velocity = NULL;
}

long sampling_interval(const Scenario *s)
{
    return (long)fmin(fmax(s->length / (40.0 * s->u), 1.0), 1e9);
}

/** Writes step, position and velocity of a probe; in a plane flow without their z. */
static void probe_cell(const Result *r, Position at, double *row)
{
    const int in_space = is_in_space(r->scenario);
    at.z = in_space ? at.z : 0;
    const Moments m = r->moments[cell_at(r->scenario, at)];
    const double plane[] = {(double)r->step, at.x, at.y, m.ux, m.uy};
    const double space[] = {(double)r->step, at.x, at.y, at.z, m.ux, m.uy, m.uz};
    memcpy(row, in_space ? space : plane, in_space ? sizeof space : sizeof plane);
}

void take_sample(TimeSeries *series, const Result *r)
{
    const size_t probes = (size_t)series->probes->count, columns = (size_t)series->columns;
    if (series->samples == series->room) {
        series->room = series->room ? 2 * series->room : 1024;
        series->force = reallocate(series->force, series->room * sizeof *series->force);
        series->velocity =
            reallocate(series->velocity, (series->room * probes * columns + 1) * sizeof *series->velocity);
    }
    if (series->links.count)
        series->force[series->samples] = force_on_bodies(r, &series->links);
    for (size_t n = 0; n < probes; n++)
        probe_cell(r, series->probes->cell[n], series->velocity + (series->samples * probes + n) * columns);
    series->samples++;
}
