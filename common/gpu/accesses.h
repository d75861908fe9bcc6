/**
 * @file accesses.h
 * Calls by which functions of the emulator report memory accesses to a recorder, if RECORD_ACCESSES is
 * defined: the compiler's own reports of a vector of lanes, or of polls, would not show those of a GPU.
 */
#pragma once

#include <stddef.h>

/** The kind of access of a warp. */
typedef enum { LOAD, STORE, ATOMIC, SHARED_LOAD, SHARED_STORE, SHARED_ATOMIC, ACCESSES } Access;

/** Whether it is an access to shared memory. */
static inline int is_shared(Access access)
{
    return access >= SHARED_LOAD;
}

/** Whether it is an atomic operation. */
static inline int is_atomic(Access access)
{
    return access == ATOMIC || access == SHARED_ATOMIC;
}

/** A warp accesses `bytes` bytes at memory + bytes * index[lane] in each lane where condition[lane] is not 0
 * (NULL: in all). `place` is its place in the program. */
void record_lanes(const void *place, Access access, const void *memory, size_t bytes, const int *index,
                  const int *condition);

/** Copies a number in device memory for which a thread polls. That is one access, past L1, however often the
 * thread does it before its next access of another kind. */
void record_polled(void *to, const void *from, size_t bytes);

/** An atomic operation on a number in memory. `place` is its place in the program. */
void record_atomic(const void *place, const void *memory, size_t bytes);

#ifdef RECORD_ACCESSES
#define load_polled         record_polled
#define note_atomic(memory) record_atomic(__builtin_return_address(0), memory, sizeof *(memory))
#else
#define load_polled         __builtin_memcpy
#define note_atomic(memory) (void)0
#endif

/** Of a function whose accesses are not loads and stores on a GPU. */
#define NOT_RECORDED __attribute__((no_sanitize("thread")))
