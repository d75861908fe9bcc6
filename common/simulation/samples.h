/**
 * @file samples.h
 * Samples of a simulation, taken without stopping it: the force on the bodies, the velocity at probes, the nodes
 * of a membrane.
 * They wait where the state lives until they are collected, or until there is no room for another.
 */
#pragma once

#include "result/time_series.h"
#include "simulation/simulation.h"

/** The cells that are sampled, and the samples that wait. */
typedef struct Samples Samples;

/** Both must outlive the samples. Fails with exit code 3 if memory is short. */
Samples *begin_samples(Simulation *simulation, TimeSeries *series);

/** Takes a sample of now; on the device it may return before the work is done. */
void take_sample(Samples *samples);

/** Adds all samples that wait to the series. */
void collect_samples(Samples *samples);

/** The force now, and the density of the oncoming stream: see stream_density. */
Force force_now(Samples *samples, double *density);

/** The shape of the membrane now. */
ShapeSample shape_now(Samples *samples);

/** Frees what begin_samples took; what waits is lost. */
void end_samples(Samples *samples);
