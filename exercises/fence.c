// Without gpu.h, whose functions fence.h would replace.
#include "fenced.h"

#include "check_exercise.h"

#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/** Bytes behind an array that must not change; how many arrays there may be at a time; what fills the bytes
 * beside an array. */
enum { FENCE = 1 << 20, ARRAYS = 1024, BESIDE = 0xa5 };

typedef struct {
    unsigned char *mapped, *memory, *end, *fence; // memory to end is the array's; mapped NULL: not in use
} Array;

static Array arrays[ARRAYS];
static int all_hidden;

size_t device_bytes;

/** What a thread does that reaches into a fence: it ends the check. Other crashes go their way. */
static void report_fence(int number, siginfo_t *info, void *context)
{
    (void)context;
    const unsigned char *address = (const unsigned char *)info->si_addr;
    for (int n = 0; n < ARRAYS; n++) {
        const Array *array = &arrays[n];
        const ptrdiff_t byte = address - array->memory, bytes = array->end - array->memory;
        if (array->mapped && address >= array->fence && address < array->fence + FENCE)
            wrong("a thread reads or writes outside of an array: byte %td of an array of %td bytes", byte,
                  bytes);
        if (array->mapped && all_hidden && address >= array->mapped && address < array->fence)
            wrong("the host reads or writes device memory: byte %td of an array of %td bytes", byte, bytes);
    }
    signal(number, SIG_DFL);
}

/** The array at this address, or for NULL one that is not in use; NULL if there is none. */
static Array *find_array(const void *memory)
{
    for (int n = 0; n < ARRAYS; n++)
        if (memory ? arrays[n].mapped && arrays[n].memory == memory : !arrays[n].mapped)
            return &arrays[n];
    return NULL;
}

void *allocate_fenced(size_t bytes, size_t alignment)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), rounded = (bytes + page - 1) / page * page;
    Array *array = find_array(NULL);
    if (!array || rounded < bytes)
        return NULL;
    unsigned char *mapped =
        mmap(NULL, rounded + FENCE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED || mprotect(mapped + rounded, FENCE, PROT_NONE) != 0)
        return NULL;
    unsigned char *memory = mapped + (rounded - bytes) / alignment * alignment;
    *array = (Array){mapped, memory, memory + bytes, mapped + rounded};
    memset(mapped, BESIDE, rounded);
    memset(memory, 0xff, bytes);
    const struct sigaction action = {.sa_sigaction = report_fence, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    return memory;
}

void hide_fenced(int hidden)
{
    all_hidden = hidden;
    for (int n = 0; n < ARRAYS; n++)
        if (arrays[n].mapped)
            mprotect(arrays[n].mapped, (size_t)(arrays[n].fence - arrays[n].mapped),
                     hidden ? PROT_NONE : PROT_READ | PROT_WRITE);
}

size_t fenced_size(const void *memory)
{
    const Array *array = memory ? find_array(memory) : NULL;
    return array ? (size_t)(array->end - array->memory) : SIZE_MAX;
}

/** Ends the check if a byte beside the array has changed. */
static void expect_untouched(const Array *array, const unsigned char *from, const unsigned char *to)
{
    for (; from < to; from++)
        if (*from != BESIDE)
            wrong("a thread writes outside of an array: byte %td of an array of %zu bytes",
                  from - array->memory, (size_t)(array->end - array->memory));
}

void free_fenced(void *memory)
{
    Array *array = memory ? find_array(memory) : NULL;
    if (!array)
        return;
    mprotect(array->mapped, (size_t)(array->fence - array->mapped), PROT_READ);
    expect_untouched(array, array->end, array->fence);
    expect_untouched(array, array->mapped, array->memory);
    munmap(array->mapped, (size_t)(array->fence - array->mapped) + FENCE);
    array->mapped = NULL;
}
