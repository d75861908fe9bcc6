/**
 * @file run_plot.h
 * What people plot of a run: the velocity along lines through the middle of the grid, or in space through a
 * probe, beside what is known of it, the forces over time, and how the flow came to rest.
 */
#ifndef RUN_PLOT_H
#define RUN_PLOT_H

#include "program/run.h"

/** Plots the result, the forces if they were sampled, and the changes if --steady looked at them. Fails with
 * exit code 2 without Cairo. */
void write_run_plot(const Run *run, const char *path);

#endif
