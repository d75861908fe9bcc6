/**
 * @file clock.h
 * A clock for durations.
 */
#ifndef CLOCK_H
#define CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif

/** Seconds since some fixed moment; never goes back. */
double now(void);

#ifdef __cplusplus
}
#endif

#endif
