/**
 * @file commands.h
 * What the commands of the program are. To add one, define it in a file of its own, declare it here and add
 * it to the table in lbm.c.
 */
#pragma once

#include "program/options.h"

/** One command: `lbm NAME ARGUMENTS`. */
typedef struct {
    const char *name;
    const char *arguments;                   /**< how the help calls its arguments */
    const char *about;                       /**< what it does, one line */
    const Option *options;                   /**< its options */
    const char *notes;                       /**< what else its help says; "" if nothing */
    int (*run)(int count, char **arguments); /**< takes what follows the name; returns the exit code */
} Command;

/** Runs a flow in a stage. */
extern const Command run_command;

/** Measures the speed of stages. */
extern const Command bench_command;

/** Ranks the block shapes of a stage. */
extern const Command tune_command;

/** Shows how the error of a flow falls as its grid gets finer. */
extern const Command converge_command;

/** Counts the memory transactions of a stage's kernels. */
extern const Command traffic_command;

/** Turns SI units into lattice units. */
extern const Command units_command;
