/**
 * @file run.h
 * One flow in one stage, from its start to its end.
 */
#ifndef RUN_H
#define RUN_H

#include "output/collection.h"
#include "output/picture.h"
#include "program/options.h"
#include "simulation/samples.h"

/** Room for the name of an output: a path and a step number. */
enum { NAME_SIZE = PATH_SIZE + 32 };

/** What the user may set of a run. */
typedef struct {
    Parameters parameters;
    Block block;
    long steps;    /**< the last one, counted from the start of the flow; -1: as long as the flow takes */
    double steady; /**< stop below this relative change over CHECK_INTERVAL steps; 0: don't */
    char vtk[PATH_SIZE], png[PATH_SIZE], csv[PATH_SIZE]; /**< "" : not asked for */
    char pixels[PATH_SIZE], plot[PATH_SIZE];             /**< the same */
    char forces[PATH_SIZE], probes[PATH_SIZE];           /**< the same */
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
    long first;                      /**< where it began: at step 0, or at that of a checkpoint */
    long steps;                      /**< it ends at this step at the latest */
    long step;                       /**< where it is */
    long written, saved;             /**< where outputs and checkpoint were written last; -1: never */
    Snapshot result;                 /**< moments that were read last, which a job may still write to a file;
                                          its step says when all of them were */
    FlowSums look;                   /**< at the last check */
    long checked;                    /**< the step of that */
    long compared;                   /**< where the change of the velocity was looked at last */
    double change;                   /**< relative change between the last two checks */
    Change *changes;                 /**< all of them */
    size_t checks, capacity;         /**< how many there are; for how many there is room */
    double mass;                     /**< at its first step */
    double seconds;                  /**< of the steps, with the samples among them */
    Spent spent;                     /**< of the rest */
    TimeSeries series;               /**< forces and probes */
    Samples *samples;                /**< of them, while the run goes on */
    double error;                    /**< at the end: from the analytic solution; NaN: not defined */
    Force force;                     /**< at the end */
    double pressure;                 /**< at the end: see pressure_difference; NaN: not defined */
    long sample;                     /**< steps between two samples of them; 0: none is taken */
    Steps listed;                    /**< those in the collection */
    char wrote[9 * (NAME_SIZE + 1)]; /**< names of the outputs written last, as they are shown */
    int interrupted;                 /**< whether a signal ended it */
} Run;

/** Whether the flow changed less than was asked for with --steady. */
int is_steady(const Run *run);

#endif
