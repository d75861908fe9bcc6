/**
 * @file time_series.h
 * What a run keeps of the flow over time: the force on the bodies, the velocity at probes, the shape of a membrane.
 */
#pragma once

#include "result/forces.h"

enum { MAX_PROBES = 64 };

/** Cells whose velocity is kept. */
typedef struct {
    int count;
    Position cell[MAX_PROBES]; /**< in a plane flow z does not count */
} Probes;

/** A membrane at a time step: Taylor's deformation, and more as in membrane.h. */
typedef struct {
    double step, deformation, inclination;
    double volume; /**< over that at rest */
    double angle;  /**< of the node MARKED_NODE */
    double force;  /**< on the fluid, all of it, over shear modulus and radius */
} ShapeSample;

enum { SHAPE_COLUMNS = sizeof(ShapeSample) / sizeof(double) };

/** The shape of a scenario's membrane at positions[3][nodes]. */
ShapeSample find_shape(const Scenario *scenario, const Real *position, long step);

/** Samples at equal intervals. */
typedef struct {
    const Scenario *scenario;
    const Probes *probes;
    LinkList links; /**< of the bodies; none: no force is kept */
    size_t samples, capacity;
    Force *force;       /**< one a sample */
    ShapeSample *shape; /**< the same, of the membrane */
    int columns;        /**< 1 + 2 dimensions */
    double *velocity;   /**< of each sample and probe `columns` numbers: step, position and velocity */
} TimeSeries;

/** An empty series. Scenario and probes must outlive it. */
TimeSeries create_time_series(const Scenario *scenario, const Probes *probes);

/** Frees what create_time_series and add_sample took. */
void destroy_time_series(TimeSeries *series);

/** Steps between two samples that show a vortex street well: a fortieth of the time to pass a body, or in which
 * a shear flow turns, in whole cycles of so many steps. */
long sampling_interval(const Scenario *scenario, int cycle);

/** Adds a sample: the force, three components of the velocity at each probe, the nodes of the membrane. */
void add_sample(TimeSeries *series, Force force, const double *velocity, const Real *nodes);
