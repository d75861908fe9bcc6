// The linker's --wrap leads calls of malloc, calloc, realloc and free here; the names are the linker's.
#include "host_fence.h"

#include "fenced.h"

#include <stdint.h>
#include <string.h>

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void __real_free(void *memory);

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void __wrap_free(void *memory);

enum { ALIGNMENT = 16 }; // what malloc promises

static int fencing;

void fence_main_memory(int fenced)
{
    fencing = fenced;
}

void *__wrap_malloc(size_t bytes)
{
    void *memory = fencing ? allocate_fenced(bytes, ALIGNMENT) : NULL;
    return memory ? memory : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    void *memory = fencing && (bytes == 0 || count <= SIZE_MAX / bytes)
                       ? allocate_fenced(count * bytes, ALIGNMENT)
                       : NULL;
    return memory ? memset(memory, 0, count * bytes) : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    const size_t before = memory ? fenced_size(memory) : 0;
    if (before == SIZE_MAX)
        return __real_realloc(memory, bytes);
    void *larger = __wrap_malloc(bytes);
    if (larger && memory) {
        memcpy(larger, memory, before < bytes ? before : bytes);
        free_fenced(memory);
    }
    return larger;
}

void __wrap_free(void *memory)
{
    if (fenced_size(memory) != SIZE_MAX)
        free_fenced(memory);
    else
        __real_free(memory);
}
