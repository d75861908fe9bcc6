/**
 * @file accesses.h
 * Calls by which functions over lanes (lane_on_cpu.h) report memory accesses to a recorder, if
 * RECORD_ACCESSES is defined: the compiler's own reports of a vector would not show the accesses of a warp.
 */
#ifndef ACCESSES_H
#define ACCESSES_H

#include <stddef.h>

/** The kind of access of a warp. */
typedef enum { LOAD, STORE, SHARED_LOAD, SHARED_STORE } Access;

/** Whether it is an access to shared memory. */
static inline int is_shared(Access access)
{
    return access == SHARED_LOAD || access == SHARED_STORE;
}

/**
 * A warp accesses `bytes` bytes at memory + bytes * index[lane] in each lane where condition[lane] is not 0;
 * NULL: in all. `place` is its place in the program.
 */
void record_lanes(const void *place, Access access, const void *memory, size_t bytes, const int *index,
                  const int *condition);

#endif
