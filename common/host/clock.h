/**
 * @file clock.h
 * Clocks for durations.
 */
#pragma once

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
