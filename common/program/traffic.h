/**
 * @file traffic.h
 * The command `traffic`, which a second program, lbm_traffic, carries out: the same objects, linked with the
 * recorder (traffic/recorder.h) and the emulator.
 */
#pragma once

#include "gpu/known_devices.h"
#include "program/options.h"
#include "stage/stage.h"

/** Lines of that number; number 0: none is named. */
typedef struct {
    char file[PATH_SIZE]; /**< the end of its path; empty: any .cu file */
    long number;
} LineName;

/** What `lbm traffic` is to count. */
typedef struct {
    const Stage *stage;
    const Flow *flow;
    Parameters parameters;
    Block block;
    const KnownDevice *device;
    double bandwidth; /**< of the device's memory, GB/s */
    long l2;          /**< simulated, MiB; 0: none */
    int lines;
    char csv[PATH_SIZE], svg[PATH_SIZE];
    LineName line; /**< that is drawn */
} TrafficSettings;

/** Reads the arguments, and checks them. */
TrafficSettings parse_traffic(int count, char **arguments);

/** Records and reports, in lbm_traffic; lbm becomes that program. Returns the exit code. */
int run_traffic(int count, char **arguments);
