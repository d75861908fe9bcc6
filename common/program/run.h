/**
 * @file run.h
 * One flow in one stage, from its start to its end.
 */
#pragma once

#include "output/collection.h"
#include "output/picture.h"
#include "program/options.h"
#include "simulation/samples.h"

/** Room for the name of an output: a path and a step number. */
enum { NAME_SIZE = PATH_SIZE + 32 };

/** Files that a run can write. */
enum { OUTPUTS = 11 };

/** What the user may set of a run. */
typedef struct {
    Parameters parameters;
    Block block;
    long steps;    /**< the last one, counted from the start of the flow; -1: as long as the flow takes */
    double steady; /**< stop below this relative change over CHECK_INTERVAL steps; 0: don't */
    char vtk[PATH_SIZE], png[PATH_SIZE], csv[PATH_SIZE]; /**< "" : not asked for */
    char pixels[PATH_SIZE], plot[PATH_SIZE];             /**< the same */
    char forces[PATH_SIZE], probes[PATH_SIZE];           /**< the same */
    char shape[PATH_SIZE];                               /**< the same */
    char vtp[PATH_SIZE];                                 /**< beside that of vtk, of a membrane */
    char checkpoint[PATH_SIZE], restart[PATH_SIZE];      /**< to write; to read; "" : neither */
    Probes probe;                                        /**< where `probes` are */
    char mask[PATH_SIZE];                                /**< mask to read; "": none */
    Field field;     /**< of png, pixels and watch; FIELD_COUNT: not given */
    Slice slice;     /**< that they show; axis -1: not given */
    double scale;    /**< to where their colours go (fix_scale); 0: by the flow */
    int streamlines; /**< whether png has them */
    long every;      /**< write numbered outputs every so many steps; 0: one set at the end */
    long sample;     /**< steps between two samples for forces and probes; 0: by the flow */
    long save;       /**< write the checkpoint every so many steps; 0: at the end */
    int watch, quiet;
    char collection[NAME_SIZE]; /**< list of the numbered files of vtk; "": they aren't numbered */
} Settings;

/** Steps between two checks that the flow is still sane, and is not yet steady. */
enum { CHECK_INTERVAL = 1000 };

/** The relative change of the velocity since the check before. */
typedef struct {
    double step, change;
} Change;

/** Seconds since `begin` that the steps did not take. */
typedef struct {
    double begin, set_up, looks, files;
} Spent;

/** A run under way. */
typedef struct {
    const Settings *settings;
    const Stage *stage;
    Scenario scenario;
    Simulation *simulation;
    long first;              /**< where it began: at step 0, or at that of a checkpoint */
    long steps;              /**< it ends at this step at the latest */
    long step;               /**< where it is */
    long written, saved;     /**< where outputs and checkpoint were written last; -1: never */
    Snapshot result;         /**< moments that were read last, which a job may still write to a file;
                                          its step says when all of them were */
    FlowSums look;           /**< at the last check */
    long checked;            /**< the step of that */
    long compared;           /**< where the change of the velocity was looked at last */
    double change;           /**< relative change between the last two checks */
    Change *changes;         /**< all of them */
    size_t checks, capacity; /**< how many there are; for how many there is room */
    double mass;             /**< at its first step */
    double seconds;          /**< of the steps, with the samples among them */
    Spent spent;             /**< of the rest */
    TimeSeries series;       /**< forces and probes */
    Samples *samples;        /**< of them, while the run goes on */
    double error;            /**< at the end: from the analytic solution; NaN: not defined */
    Force force;             /**< at the end */
    ShapeSample shape;       /**< at the end, of a membrane */
    double pressure;         /**< at the end: see pressure_difference; NaN: not defined */
    long sample;             /**< steps between two samples of them; 0: none is taken */
    Steps listed;            /**< those in the collection */
    char wrote[OUTPUTS * (NAME_SIZE + 1)]; /**< names of the outputs written last, as they are shown */
    int interrupted;                       /**< whether a signal ended it */
} Run;

/** Whether the flow changed less than was asked for with --steady. */
int is_steady(const Run *run);

/* ---- run_steps.c ---- */

/** Sets up the solver. Fails with exit code 2 if the stage can't run the flow, 1 if the start diverges. */
void begin_steps(Run *run);

/** Runs until the last step, until the flow is steady if `--steady` is given, or until an end is requested;
 * then writes the outputs. Fails with exit code 1 if the flow diverges. */
void go_through_steps(Run *run);

/* ---- run_files.c ---- */

/** Names the list of the numbered files of vtk, if there will be any, and the file of a membrane beside each. */
void name_files(Settings *settings, const Flow *flow);

/** Refuses outputs that would replace each other or an input, or that this build can't write. */
void check_paths(const Settings *settings);

/** Fails with exit code 3 unless all files that were asked for could be written now. */
void check_outputs(const Settings *settings);

/** Reads the list of numbered files that goes on behind a checkpoint. Fails with exit code 3 if it can't. */
void read_list(Run *run);

/** Makes the result that of now. */
void refresh(Run *run);

/** Writes the result to the files that were asked for; with --every their names get the step's number. */
void write_outputs(Run *run);

/** Writes the checkpoint if it was asked for and does not hold this step already. */
void save(Run *run);

/** Ends the list of what was written with the checkpoint and what was sampled over time, which it writes. */
void write_series(Run *run);

/* ---- run_plot.c ---- */

/** Plots the result, the forces if they were sampled, and the changes if --steady looked at them. */
void write_run_plot(const Run *run, const char *path);

/* ---- run_report.c ---- */

/** Before it begins: stage, flow, numbers and memory. */
void print_head(const Run *run);

/** Warns of parameters that seldom end well. */
void warn(const Scenario *scenario);

/** At its end: speed, mass, errors, forces, and what was written. */
void print_report(const Run *run);
