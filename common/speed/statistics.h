/**
 * @file statistics.h
 * Speed as a number, and statistics over repeats of a measurement.
 */
#ifndef STATISTICS_H
#define STATISTICS_H

/** Million lattice updates per second: cells * steps / seconds / 1e6; 0 for no time at all. */
double mlups(double cells, double steps, double seconds);

/** Statistics over repeats of one measurement. */
typedef struct {
    double mean, min, max;
    double variation; /**< coefficient of variation: sample standard deviation over mean; NaN for one */
} Statistics;

/** Statistics of count >= 1 samples. */
Statistics statistics(const double *samples, int count);

#endif
