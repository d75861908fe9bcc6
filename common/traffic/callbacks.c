/**
 * @file callbacks.c
 * What a compiler calls for -fsanitize=thread, whose library is not linked. The types are those that gcc
 * knows.
 */
#include "traffic/recorder.h"

#include <string.h>

#define CALLBACK(NAME, ACCESS, BYTES)                                                                        \
    void __tsan_##NAME##BYTES(void *memory)                                                                  \
    {                                                                                                        \
        record_access(__builtin_return_address(0), ACCESS, memory, BYTES);                                   \
    }
#define CALLBACKS(BYTES)                                                                                     \
    CALLBACK(read, LOAD, BYTES)                                                                              \
    CALLBACK(write, STORE, BYTES)                                                                            \
    CALLBACK(unaligned_read, LOAD, BYTES)                                                                    \
    CALLBACK(unaligned_write, STORE, BYTES)

CALLBACKS(1)
CALLBACKS(2)
CALLBACKS(4)
CALLBACKS(8)
CALLBACKS(16)

/** Of structures: word by word. */
static void record_range(const void *place, Access access, const char *memory, size_t bytes)
{
    for (size_t n = 0; n < bytes; n += 4)
        record_access(place, access, memory + n, bytes - n < 4 ? (unsigned)(bytes - n) : 4);
}

void __tsan_read_range(void *memory, long bytes)
{
    record_range(__builtin_return_address(0), LOAD, memory, (size_t)bytes);
}

void __tsan_write_range(void *memory, long bytes)
{
    record_range(__builtin_return_address(0), STORE, memory, (size_t)bytes);
}

void __tsan_init(void)
{
}

void __tsan_func_entry(void *place)
{
    (void)place;
}

void __tsan_func_exit(void *place)
{
    (void)place;
}

/* What memcpy, memmove and memset are in kernels, by a macro of the build: no callback would see them. */

void *recorded_memcpy(void *to, const void *from, size_t bytes)
{
    record_range(__builtin_return_address(0), LOAD, from, bytes);
    record_range(__builtin_return_address(0), STORE, to, bytes);
    return memcpy(to, from, bytes);
}

void *recorded_memmove(void *to, const void *from, size_t bytes)
{
    record_range(__builtin_return_address(0), LOAD, from, bytes);
    record_range(__builtin_return_address(0), STORE, to, bytes);
    return memmove(to, from, bytes);
}

void *recorded_memset(void *to, int value, size_t bytes)
{
    record_range(__builtin_return_address(0), STORE, to, bytes);
    return memset(to, value, bytes);
}
