/**
 * @file thread_order.h
 * The order in which the emulator runs the threads of a launch: the environment variable LBM_THREAD_ORDER
 * names it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** The order in which `count` threads or blocks run. Starts as all zeros. */
typedef struct {
    enum { FORWARD, REVERSE, SHUFFLE } order;
    size_t count;
    uint32_t *shuffled; /**< SHUFFLE: the numbers 0 to count - 1 */
    size_t capacity;    /**< numbers that `shuffled` has room for */
} Schedule;

/** Makes a new schedule, in the order that LBM_THREAD_ORDER names now: forward (the default), reverse, or
 * shuffle[:SEED], another order every time. Fails with exit code 2 if it names none of these. */
void make_schedule(Schedule *schedule, size_t count);

/** The number of the thread or block that runs k-th. */
static inline size_t scheduled(const Schedule *schedule, size_t k)
{
    switch (schedule->order) {
    case REVERSE:
        return schedule->count - 1 - k;
    case SHUFFLE:
        return schedule->shuffled[k];
    default:
        return k;
    }
}
