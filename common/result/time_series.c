#include "result/time_series.h"

#include "host/allocate.h"

#include <math.h>
#include <stdlib.h>

TimeSeries create_time_series(const Scenario *scenario, const Probes *probes)
{
    TimeSeries series = {.scenario = scenario, .probes = probes, .columns = is_in_space(scenario) ? 7 : 5};
    if (scenario->flow->body)
        series.links = find_links(scenario);
    return series;
}

void destroy_time_series(TimeSeries *series)
{
    destroy_links(&series->links);
    free(series->force);
    free(series->shape);
    free(series->velocity);
    series->force = NULL;
    series->shape = NULL;
    series->velocity = NULL;
}

long sampling_interval(const Scenario *s, int cycle)
{
    const double time = has_membrane(s->flow) ? 1.0 / shear_rate(s) : s->length / s->u;
    const double steps = fmin(fmax(time / 40.0, 1.0), 1e9);
    return cycle * (long)ceil(floor(steps) / cycle);
}

static void make_room(TimeSeries *series)
{
    const size_t probes = (size_t)series->probes->count, columns = (size_t)series->columns;
    if (series->samples < series->capacity)
        return;
    series->capacity = series->capacity ? 2 * series->capacity : 1024;
    series->force = reallocate(series->force, series->capacity * sizeof *series->force);
    series->shape = reallocate(series->shape, series->capacity * sizeof *series->shape);
    series->velocity =
        reallocate(series->velocity, (series->capacity * probes * columns + 1) * sizeof *series->velocity);
}

ShapeSample find_shape(const Scenario *s, const Real *position, long step)
{
    const Membrane *m = &s->membrane;
    const Ellipsoid e = shape_of(m, position);
    const size_t nodes = (size_t)m->nodes;
    Real *force = allocate(3 * nodes * sizeof *force);
    double sum[3] = {0.0};
    find_forces(force, m, position, s->stiffness);
    for (size_t n = 0; n < 3 * nodes; n++)
        sum[n / nodes] += force[n];
    free(force);
    return (ShapeSample){.step = (double)step,
                         .deformation = e.deformation,
                         .inclination = e.inclination,
                         .volume = e.volume / m->volume,
                         .angle = angle_of_node(m, position, &e, MARKED_NODE),
                         .force = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) /
                                  (s->stiffness.shear * s->length)};
}

void add_sample(TimeSeries *series, Force force, const double *velocity, const Real *nodes)
{
    make_room(series);
    series->force[series->samples] = force;
    if (nodes)
        series->shape[series->samples] = find_shape(series->scenario, nodes, (long)force.step);
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
