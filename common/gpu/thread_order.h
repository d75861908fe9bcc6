/**
 * @file thread_order.h
 * In which order the stand-in runs the threads of a launch: the environment variable LBM_THREAD_ORDER names
 * it.
 */
#ifndef THREAD_ORDER_H
#define THREAD_ORDER_H

#include <stddef.h>
#include <stdint.h>

/** Whose turn it is, of `count` threads or blocks. Starts as all zeros. */
typedef struct {
    enum { FORWARD, REVERSE, SHUFFLE } order;
    size_t count;
    uint32_t *shuffled; /**< SHUFFLE: the numbers 0 to count - 1 */
    size_t room;        /**< numbers that `shuffled` has room for */
} Turns;

/**
 * Gives out the turns anew, in the order that LBM_THREAD_ORDER names now: forward (the default, also if it is
 * empty), reverse, or shuffle[:SEED], another order every time. Fails with exit code 2 if it names none of
 * these.
 */
void give_turns(Turns *turns, size_t count);

/** The number of the k-th that runs. */
static inline size_t turn(const Turns *turns, size_t k)
{
    switch (turns->order) {
    case REVERSE:
        return turns->count - 1 - k;
    case SHUFFLE:
        return turns->shuffled[k];
    default:
        return k;
    }
}

#endif
