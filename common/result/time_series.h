/**
 * @file time_series.h
 * What a run keeps of the flow over time: the force on the bodies and the velocity at probes.
 */
#pragma once

#include "result/forces.h"

enum { MAX_PROBES = 64 };

/** Cells whose velocity is kept. */
typedef struct {
    int count;
    Position cell[MAX_PROBES]; /**< in a plane flow z does not count */
} Probes;

/** Samples at equal intervals. */
typedef struct {
    const Probes *probes;
    LinkList links; /**< of the bodies; none: no force is kept */
    size_t samples, capacity;
    Force *force;     /**< one a sample */
    int columns;      /**< 1 + 2 dimensions */
    double *velocity; /**< of each sample and probe `columns` numbers: step, position and velocity */
} TimeSeries;

/** An empty series. Scenario and probes must outlive it. */
TimeSeries create_time_series(const Scenario *scenario, const Probes *probes);

/** Frees what create_time_series and add_sample took. */
void destroy_time_series(TimeSeries *series);

/** Steps between two samples that show a vortex street well: a fortieth of the time to pass a body, in whole
 * cycles of so many steps. */
long sampling_interval(const Scenario *scenario, int cycle);

/** Adds a sample: the force, and three components of the velocity at each probe. */
void add_sample(TimeSeries *series, Force force, const double *velocity);
