/**
 * @file clock.h
 * Clocks for durations.
 */
#ifndef CLOCK_H
#define CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif

/** Seconds since some fixed moment; never goes back. */
double now(void);

/** Seconds that this process has spent on all cores together. */
double cpu_time(void);

#ifdef __cplusplus
}
#endif

#endif
