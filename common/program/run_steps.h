/**
 * @file run_steps.h
 * One flow in one stage, from its start to its end: steps, checks, outputs, pictures and interruptions.
 */
#ifndef RUN_STEPS_H
#define RUN_STEPS_H

#include "options.h"
#include "output.h"
#include "time_series.h"

/** What the user may set of a run. */
typedef struct {
    Parameters parameters;
    Block block;
    long steps;    /**< -1: as long as the flow takes */
    double steady; /**< stop below this relative change over CHECK_INTERVAL steps; 0: don't */
    char vtk[PATH_SIZE], png[PATH_SIZE], csv[PATH_SIZE]; /**< "" : not asked for */
    char forces[PATH_SIZE], probes[PATH_SIZE];           /**< the same */
    Cells probe;                                         /**< where `probes` are */
    char mask[PATH_SIZE];                                /**< drawing to read; "": none */
    Field field;                                         /**< of png and watch; FIELD_COUNT: not given */
    long every;  /**< write numbered outputs every so many steps; 0: one set at the end */
    long sample; /**< steps between two samples for forces and probes; 0: by the flow */
    int watch, quiet;
} Settings;

/** Steps between two checks that the flow is still sane, and is not yet steady. */
enum { CHECK_INTERVAL = 1000 };

/** Room for the name of an output: a path and a step number. */
enum { NAME_SIZE = PATH_SIZE + 32 };

/** A run under way. */
typedef struct {
    const Settings *settings;
    const Stage *stage;
    Scenario scenario;
    Solver *solver;
    long steps;                      /**< it ends at this step at the latest */
    long step;                       /**< where it is */
    float *f;                        /**< populations at step `read_at` */
    long read_at;                    /**< -1: not read yet */
    float *previous;                 /**< populations at the check before; only with --steady */
    double change;                   /**< relative change between the last two checks */
    double mass;                     /**< at step 0 */
    double seconds;                  /**< solver time */
    Series series;                   /**< forces and probes */
    long sample;                     /**< steps between two samples of them; 0: none is taken */
    char wrote[5 * (NAME_SIZE + 1)]; /**< names of the outputs written last */
    int stopped_by;                  /**< the signal that ended it, or 0 */
} Run;

/**
 * Runs until the last step, until the flow is steady if that was asked for, or until SIGINT, SIGTERM or
 * SIGHUP; then writes the outputs. Fails with exit code 1 if the flow diverges.
 */
void simulate(Run *run);

/** Whether the flow changed less than was asked for with --steady. */
int is_steady(const Run *run);

/** Name of an output at a step: with --every the path with the step number in it, else the path itself. */
void output_name(char name[NAME_SIZE], const Settings *settings, const char *path, long step);

#endif
