#include "result/time_series.h"

#include "host/allocate.h"

#include <math.h>
#include <stdlib.h>

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

long sampling_interval(const Scenario *s, int cycle)
{
    const double steps = fmin(fmax(s->length / (40.0 * s->u), 1.0), 1e9);
    return cycle * (long)ceil(floor(steps) / cycle);
}

static void make_room(TimeSeries *series)
{
    const size_t probes = (size_t)series->probes->count, columns = (size_t)series->columns;
    if (series->samples < series->capacity)
        return;
    series->capacity = series->capacity ? 2 * series->capacity : 1024;
    series->force = reallocate(series->force, series->capacity * sizeof *series->force);
    series->velocity =
        reallocate(series->velocity, (series->capacity * probes * columns + 1) * sizeof *series->velocity);
}

void add_sample(TimeSeries *series, Force force, const double *velocity)
{
    make_room(series);
    series->force[series->samples] = force;
    double *row =
        series->velocity + series->samples * (size_t)series->probes->count * (size_t)series->columns;
    for (int n = 0; n < series->probes->count; n++, velocity += 3) {
        const Position at = series->probes->cell[n];
        *row++ = force.step;
        *row++ = at.x;
        *row++ = at.y;
        if (series->columns == 7)
            *row++ = at.z;
        for (int axis = 0; axis < (series->columns == 7 ? 3 : 2); axis++)
            *row++ = velocity[axis];
    }
    series->samples++;
}
