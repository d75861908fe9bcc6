#include "result/time_series.h"

#include "host/allocate.h"

#include <math.h>
#include <stdlib.h>

TimeSeries create_time_series(const Scenario *scenario, const Probes *probes)
{
    TimeSeries series = {.probes = probes};
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

void take_sample(TimeSeries *series, const Result *r)
{
    const size_t probes = (size_t)series->probes->count;
    if (series->samples == series->room) {
        series->room = series->room ? 2 * series->room : 1024;
        series->force = reallocate(series->force, series->room * sizeof *series->force);
        series->velocity =
            reallocate(series->velocity, (series->room * probes + 1) * sizeof *series->velocity);
    }
    if (series->links.count)
        series->force[series->samples] = force_on_bodies(r, &series->links);
    for (size_t n = 0; n < probes; n++) {
        const int x = (int)series->probes->cell[n].x, y = (int)series->probes->cell[n].y;
        const Moments m = moments_at(r, x, y);
        series->velocity[series->samples * probes + n] = (Velocity){(double)r->step, x, y, m.ux, m.uy};
    }
    series->samples++;
}
