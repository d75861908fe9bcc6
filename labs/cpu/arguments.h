/**
 * @file arguments.h
 * The arguments of the programs that load a solver and time it.
 */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "stage/stage.h"

/** The stage in a library; fails with exit code 2 if there is none. */
const Stage *load_stage(const char *path);

/** The same; fails likewise if the stage computes on another lattice than the flow. */
const Stage *load_stage_of(const char *path, const Flow *flow);

/** An integer that begins with a digit; fails with exit code 2 if it is none from `least` to `most`. */
int parse_integer(const char *what, const char *text, int least, int most);

#endif
