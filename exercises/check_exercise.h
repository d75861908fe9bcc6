/**
 * @file check_exercise.h
 * What the check of an exercise is made of. It includes the file under test (EXERCISE) and defines check(), a
 * list of parts; the first wrong thing ends it and is shown with what to look at and the TODO that it is
 * about.
 */
#ifndef CHECK_EXERCISE_H
#define CHECK_EXERCISE_H

#include "host/fail.h"
#include "lattice/d2q9.h"
#include "result/snapshot.h"
#include "stage/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Stage 00, the reference. */
extern const Stage stage_00_cpu_aos;

/** The check itself; each exercise defines it. */
void check(void);

/** Begins a part: the TODO that it proves, such as "TODO(1)", and what to look at if it fails. */
void part(const char *todo, const char *look_at);

/** Ends the check: says where the result is wrong (printf-like). */
NORETURN void wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Ends the check unless |got - expected| <= tolerance; NaN is wrong. `what` names the value. */
void expect_near(const char *what, double got, double expected, double tolerance);

/** The direction's number and compass name, such as "5 NE". */
const char *direction_name(int i);

/** A flow with the speed 0.1 and tau 0.8. */
Scenario small_flow(const char *name, int width, int height);

/** Ends the check at the first population of a fluid cell that is further from the one expected than allowed; `how`, which
 * may be empty, says how it was computed. */
void expect_populations(const Snapshot *r, const Snapshot *expected, double allowed, const char *how);

/** Ends the check if a stage's result differs from the one expected by more than rounding, in fluid cells. */
void expect_snapshot(const Stage *stage, const Snapshot *r, const Snapshot *expected);

/**
 * Runs a scenario in the stage and in stage 00, and compares after each `stride` steps. Ends the check at the
 * first step after which fluid cells differ by more than rounding, and says which comes first.
 */
void expect_same(const Stage *stage, const Scenario *scenario, int steps, int stride);

/** The same for a small_flow, after each step. */
void expect_flow(const Stage *stage, const char *flow, int width, int height, int steps);

/** Whether a call crashes, or ends the program; it runs in a process of its own, which says nothing. */
int crashes(void (*call)(void));

/**
 * Ends the check at the first step whose result depends on the order of the threads; on a GPU, if two runs
 * differ. Of the populations that differ it names one that is streamed, if there is one.
 */
void expect_no_race(const Stage *stage, const char *flow, int width, int height, int steps);

#ifdef __cplusplus
}
#endif

#ifdef EXERCISE // this is the check, and not what it is linked with
#include "exercise_file.h"
#endif

#endif
