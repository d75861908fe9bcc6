/**
 * @file run_steps.h
 * A run's way through its steps: checks, samples, outputs, pictures and interruptions.
 */
#ifndef RUN_STEPS_H
#define RUN_STEPS_H

#include "program/run.h"

/** Sets up the solver. Fails with exit code 2 if the stage can't run the flow, with 1 if the start makes no
 * sense.
 */
void begin_steps(Run *run);

/**
 * Runs until the last step, until the flow is steady if `--steady` is given, or until an end is requested
 * (interrupt.h; signals are to be deferred); then writes the outputs. Fails with exit code 1 if the flow
 * diverges.
 */
void go_through_steps(Run *run);

#endif
