/**
 * @file traffic.h
 * Whether the warps of a student's kernels touch neighbouring addresses: a second program (traffic_check.c)
 * finds out.
 */
#ifndef TRAFFIC_OF_EXERCISE_H
#define TRAFFIC_OF_EXERCISE_H

/**
 * The path of that program; empty if the compiler can't make it, NULL if the exercise is not about memory.
 * And the name that the student's solver has as a stage, such as exercise_soa; NULL if it is no solver. Each
 * check defines them, in exercise_file.h.
 */
extern const char *const traffic_check, *const exercise_stage;

/** Ends the check if a kernel touches scattered addresses, at a line that is named. */
void expect_neighbours(void);

#endif
