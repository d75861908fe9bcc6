#include "allocate.h"

#include "fail.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

size_t free_memory(void)
{
    size_t kib = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    if (file) {
        char line[128];
        while (fgets(line, sizeof line, file) && sscanf(line, "MemAvailable: %zu", &kib) != 1)
            ;
        fclose(file);
    }
    return kib ? kib * 1024 : (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

void *allocate(size_t bytes)
{
    const double gib = 1024.0 * 1024.0 * 1024.0;
    void *memory = bytes <= free_memory() ? calloc(1, bytes) : NULL;
    if (!memory)
        fail(EXIT_MACHINE, "not enough memory: %.1f GiB needed, %.1f GiB free", (double)bytes / gib,
             (double)free_memory() / gib);
    return memory;
}
