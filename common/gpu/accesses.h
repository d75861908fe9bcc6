/**
 * @file accesses.h
 * What a recorder of memory accesses is told by the functions over lanes (lane_on_cpu.h), where
 * RECORD_ACCESSES is defined: of a vector, the compiler would tell it not what a warp of a GPU does.
 */
#ifndef ACCESSES_H
#define ACCESSES_H

#include <stddef.h>

/** What a warp does to memory. */
typedef enum { LOAD, STORE, SHARED_LOAD, SHARED_STORE } Access;

/** Whether it is one of shared memory. */
static inline int is_shared(Access access)
{
    return access == SHARED_LOAD || access == SHARED_STORE;
}

/**
 * A warp accesses `bytes` bytes at memory + bytes * index[lane] in each lane where condition[lane] is not 0;
 * NULL: in all. `place` is where in the program.
 */
void record_lanes(const void *place, Access access, const void *memory, size_t bytes, const int *index,
                  const int *condition);

#endif
