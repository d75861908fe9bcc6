/**
 * @file power_on_ranks.h
 * The power of the GPUs of all ranks together. A GPU that several ranks share counts once.
 */
#pragma once

#include "speed/power.h"

/** The part of each rank: the task that all ranks set (ranks.h). The functions below start it, on rank 0. */
void measure_power(int part);

/** Opens the sensors. To be called once, before those below. */
void open_sensors_on_ranks(void);

/** One line: what the sensor of a rank reads, and what it can't. */
const char *rank_sensor_text(int rank);

/** Begins to take samples on all ranks. */
void begin_sampling_on_ranks(void);

/** Ends that. What is not known of one GPU is not known of all. */
Power end_sampling_on_ranks(void);
