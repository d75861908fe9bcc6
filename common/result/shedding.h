/**
 * @file shedding.h
 * What many samples of a force tell: means, extrema, and the period of vortices that a body sheds.
 */
#pragma once

#include "result/forces.h"

/** A coefficient over time. */
typedef struct {
    double last, mean, min, max;
} Summary;

/** What is left of many samples of the force. */
typedef struct {
    Summary drag, lift, side; /**< mean and extrema between `from` and `to` */
    double from, to;          /**< steps */
    int periods;              /**< of the lift between them; 0: it has no regular period */
    double period;            /**< in steps; NaN without periods */
} Shedding;

/**
 * Sums up samples taken at equal intervals. Only their second half counts; and of it only whole periods, from
 * the first to the last upward crossing of the mean lift, if there are two or more of ten samples each whose
 * lengths agree within a tenth, and the lift swings by more than 0.001.
 */
Shedding sum_up(const Force *sample, size_t count);
