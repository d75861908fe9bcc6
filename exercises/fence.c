// Without gpu.h, whose functions the header would replace.
#include "check_exercise.h"

#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/** Bytes behind an array that nobody may touch; how many arrays there may be at a time. */
enum { FENCE = 1 << 20, ARRAYS = 64 };

typedef struct {
    char *mapped, *memory, *end; // memory to end is the array's; mapped is null if there is none
} Array;

static Array arrays[ARRAYS];

size_t device_bytes;

/** What a thread does that reaches into a fence: it ends the check. Other crashes go their way. */
static void report_fence(int number, siginfo_t *info, void *context)
{
    (void)context;
    const char *address = (const char *)info->si_addr;
    for (int n = 0; n < ARRAYS; n++)
        if (arrays[n].mapped && address >= arrays[n].end && address < arrays[n].end + FENCE)
            wrong("a thread reads or writes outside of an array: byte %zu of an array of %zu bytes",
                  (size_t)(address - arrays[n].memory), (size_t)(arrays[n].end - arrays[n].memory));
    signal(number, SIG_DFL);
}

void *allocate_fenced(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), rounded = (bytes + page - 1) / page * page;
    int n = 0;
    while (n < ARRAYS && arrays[n].mapped)
        n++;
    char *mapped = mmap(NULL, rounded + FENCE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (n == ARRAYS || mapped == MAP_FAILED || mprotect(mapped + rounded, FENCE, PROT_NONE) != 0)
        return NULL;
    arrays[n] = (Array){mapped, mapped + rounded - bytes, mapped + rounded};
    memset(arrays[n].memory, 0xff, bytes);
    const struct sigaction action = {.sa_sigaction = report_fence, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    return arrays[n].memory;
}

void free_fenced(void *memory)
{
    for (int n = 0; n < ARRAYS; n++)
        if (arrays[n].mapped && arrays[n].memory == memory) {
            munmap(arrays[n].mapped, (size_t)(arrays[n].end - arrays[n].mapped) + FENCE);
            arrays[n].mapped = NULL;
        }
}
