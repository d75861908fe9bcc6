/**
 * @file memory.h
 * The memory in which the state of a stage lives, for C files: that of the device, or of the host.
 */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The functions of one memory. Each ends the program with exit code 3 and one line if it fails. */
typedef struct {
    void *(*allocate)(size_t bytes);
    void (*release)(void *memory);                            /**< NULL: nothing */
    void (*clear)(void *memory, size_t bytes);                /**< makes them zeros */
    void (*upload)(void *to, const void *from, size_t bytes); /**< from the host */
    void (*fetch)(void *to, const void *from,
                  size_t bytes); /**< to the host, after all work in blocking streams */
    void (*wait)(void);          /**< until all work that was queued is done */
} Memory;

extern const Memory host_memory, device_memory;

#ifdef __cplusplus
}
#endif
