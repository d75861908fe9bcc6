/**
 * @file convergence_plot.h
 * The errors of a study over its sizes.
 */
#ifndef CONVERGENCE_PLOT_H
#define CONVERGENCE_PLOT_H

#include "program/options.h"
#include "studies/convergence.h"

/** Plots each error beside the line of second order through the first of them, both axes by their logarithm.
 * Fails with exit code 2 without Cairo. */
void write_convergence_plot(const char *path, const Study *study, const Stage *stage, const Sizes *sizes,
                            const Refinement *at);

#endif
