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

/** A structure that is aligned to 8 or 16 bytes: the compiler does not say which. */
#define CALLBACK_16(NAME, ACCESS)                                                                            \
    void __tsan_##NAME##16(void *memory)                                                                     \
    {                                                                                                        \
        record_structure(__builtin_return_address(0), ACCESS, memory, 16, 16);                               \
    }
CALLBACK_16(read, LOAD)
CALLBACK_16(write, STORE)
CALLBACK_16(unaligned_read, LOAD)
CALLBACK_16(unaligned_write, STORE)

/** The most that a structure is aligned to, of so many bytes, if that is less than 8 and less than they. */
static unsigned alignment_below(long bytes)
{
    return bytes > 4 ? 4 : bytes > 2 ? 2 : 1;
}

void __tsan_read_range(void *memory, long bytes)
{
    record_structure(__builtin_return_address(0), LOAD, memory, (unsigned)bytes, alignment_below(bytes));
}

void __tsan_write_range(void *memory, long bytes)
{
    record_structure(__builtin_return_address(0), STORE, memory, (unsigned)bytes, alignment_below(bytes));
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
    record_structure(__builtin_return_address(0), LOAD, from, (unsigned)bytes, 4);
    record_structure(__builtin_return_address(0), STORE, to, (unsigned)bytes, 4);
    return memcpy(to, from, bytes);
}

void *recorded_memmove(void *to, const void *from, size_t bytes)
{
    record_structure(__builtin_return_address(0), LOAD, from, (unsigned)bytes, 4);
    record_structure(__builtin_return_address(0), STORE, to, (unsigned)bytes, 4);
    return memmove(to, from, bytes);
}

void *recorded_memset(void *to, int value, size_t bytes)
{
    record_structure(__builtin_return_address(0), STORE, to, (unsigned)bytes, 4);
    return memset(to, value, bytes);
}
