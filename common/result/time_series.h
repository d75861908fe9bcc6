/**
 * @file time_series.h
 * What a run keeps of the flow over time: the force on the bodies and the velocity at probes.
 */
#ifndef TIME_SERIES_H
#define TIME_SERIES_H

#include "forces.h"
#include "options.h"

/** Samples at equal intervals. */
typedef struct {
    const Scenario *scenario;
    const Cells *probes;
    Links links; /**< of the bodies; none: no force is kept */
    size_t samples, room;
    Force *force;     /**< one a sample */
    double *velocity; /**< step,x,y,ux,uy; one a sample and probe */
} Series;

/** An empty series. Scenario and probes must outlive it. */
Series create_series(const Scenario *scenario, const Cells *probes);

/** Frees what create_series and take_sample took. */
void destroy_series(Series *series);

/** Steps between two samples that show a vortex street well: a fortieth of the time to pass a body. */
long sampling_interval(const Scenario *scenario);

/** Adds a sample of the populations f[9 * cell + i] at a step. Fails with exit code 3 if memory is short. */
void take_sample(Series *series, const float *f, long step);

/** Writes the forces: columns step,drag,lift. */
void write_forces(const char *path, const Series *series);

/** Writes the probes: columns step,x,y,ux,uy. */
void write_probes(const char *path, const Series *series);

/** Prints drag, lift and pressure now, and what the samples say of them over time. */
void print_forces(const Series *series, const float *f, long step);

#endif
