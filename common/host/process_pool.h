/**
 * @file process_pool.h
 * Jobs that share nothing, each in a process of its own, several at a time.
 */
#pragma once

#include <stddef.h>

/** Memory of zeros that this process shares with those of its jobs. */
void *allocate_shared(size_t bytes);

/** Frees it. */
void free_shared(void *memory, size_t bytes);

/** The n-th job. What it returns is added up. */
typedef int Job(int n, const void *context);

/** The cores that this process may run on. */
int core_count(void);

/**
 * Does `count` jobs, at most `workers` at a time, and returns the sum of what they return. They begin in
 * `order`, if it is given; what they print on standard output appears in the order of their numbers. One
 * worker is this process itself. A job that ends the program does so in its turn: with its exit code, or with
 * 3 if a signal ended it. No worker outlives the program. Loops on several threads belong in jobs alone.
 */
int run_process_pool(int count, int workers, Job *job, const void *context, const int *order);
