/**
 * @file timing.h
 * Clock, speed, statistics over repeats, progress and time left.
 */
#ifndef TIMING_H
#define TIMING_H

#ifdef __cplusplus
extern "C" {
#endif

/** Seconds since some fixed moment; never goes back. */
double now(void);

/** Million lattice updates per second: width * height * steps / seconds / 1e6. */
double mlups(int width, int height, double steps, double seconds);

/** Statistics over repeats of one measurement. */
typedef struct {
    double mean, min, max;
    double variation; /**< coefficient of variation: sample standard deviation over mean; NaN for one */
} Statistics;

/** Statistics of count >= 1 samples. */
Statistics statistics(const double *samples, int count);

/** Room for a time as text. */
enum { TIME_SIZE = 32 };

/** Seconds as "m:ss" or "h:mm:ss"; "?" if they are not known (NaN). */
void format_time(char text[TIME_SIZE], double seconds);

/**
 * Draws a progress bar on standard error if that is a terminal, and nothing otherwise: percent, MLUPS and
 * time left. `seconds` is solver time so far; `done` of `total` steps.
 */
void show_progress(int width, int height, double done, double total, double seconds);

/** Wipes the progress bar, if there is one. */
void clear_progress(void);

#ifdef __cplusplus
}
#endif

#endif
