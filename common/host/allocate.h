/**
 * @file allocate.h
 * Main memory that the program can rely on, and the cache before it.
 */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Zeroed memory. Fails with EXIT_MACHINE, naming the bytes needed and free, where the machine lacks them. */
void *allocate(size_t bytes);

/** The same for memory of which only few pages may be used: the others are not taken. */
void *reserve(size_t bytes);

/** Memory of another size with what was in it; NULL becomes new memory. Fails in the same way. */
void *reallocate(void *memory, size_t bytes);

/** Bytes of main memory that can be taken without swapping. */
size_t free_memory(void);

/** Bytes of the second cache, which a core has of its own; 512 KiB where the system does not say. */
size_t second_cache(void);

#ifdef __cplusplus
}
#endif
