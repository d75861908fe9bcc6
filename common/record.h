/**
 * @file record.h
 * What a run keeps of the flow over time: the force on the bodies and the velocity at probes.
 */
#ifndef RECORD_H
#define RECORD_H

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
} Record;

/** An empty record. Scenario and probes must outlive it. */
Record create_record(const Scenario *scenario, const Cells *probes);

/** Frees what create_record and take_sample took. */
void destroy_record(Record *record);

/** Steps between two samples that show a vortex street well: a fortieth of the time to pass a body. */
long sampling_interval(const Scenario *scenario);

/** Adds a sample of the populations f[9 * cell + i] at a step. Fails with exit code 3 if memory is short. */
void take_sample(Record *record, const float *f, long step);

/** Writes the forces: columns step,drag,lift. */
void write_forces(const char *path, const Record *record);

/** Writes the probes: columns step,x,y,ux,uy. */
void write_probes(const char *path, const Record *record);

/** Prints drag, lift and pressure now, and what the samples say of them over time. */
void print_forces(const Record *record, const float *f, long step);

#endif
