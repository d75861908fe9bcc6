#include "speed/machine.h"

#include "gpu/device.h"
#include "host/allocate.h"
#include "host/clock.h"

#include <ctype.h>
#include <math.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COPIES = 10, LINE_SIZE = 1024 };

static const size_t usual_copy = (size_t)512 << 20;

/* ---- Names ---- */

/** Finds what follows `key` in a line that starts with `start`; leaves `value` alone without it. */
static void look_up(char *value, const char *path, const char *start, const char *key)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    char line[LINE_SIZE];
    while (fgets(line, sizeof line, file)) {
        const char *found = strncmp(line, start, strlen(start)) == 0 ? strstr(line, key) : NULL;
        if (!found)
            continue;
        found += strlen(key);
        found += strspn(found, " \t:");
        snprintf(value, MACHINE_NAME_SIZE, "%.*s", (int)strcspn(found, "\n"), found);
        break;
    }
    fclose(file);
}

static void name_driver(Machine *m, const Device *device)
{
    char line[MACHINE_NAME_SIZE] = "";
    look_up(line, "/proc/driver/nvidia/version", "NVRM", "version");
    const char *version = strtok(line, " "); // "... Kernel Module  580.82.07  ..."
    while (version && !(isdigit((unsigned char)*version) && strchr(version, '.')))
        version = strtok(NULL, " ");
    snprintf(m->driver, sizeof m->driver, "%.60s, for CUDA up to %d.%d", version ? version : "unknown",
             device->newest_cuda / 1000, device->newest_cuda % 1000 / 10);
    snprintf(m->runtime, sizeof m->runtime, "%d.%d", device->built_with / 1000,
             device->built_with % 1000 / 10);
}

Machine find_machine(int gpu)
{
    Machine m = {"none", "none", "none", "unknown"};
    look_up(m.host, "/proc/cpuinfo", "model name", "model name");
    if (gpu) {
        const Device device = find_device(0);
        snprintf(m.device, sizeof m.device, "%s", device.name);
        if (!gpu_is_emulated)
            name_driver(&m, &device);
        if (strcmp(gpu_api, "HIP") == 0)
            snprintf(m.driver, sizeof m.driver, "unknown");
    }
    return m;
}

/* ---- Copies ---- */

/** An array for copies. Its pages lie near the threads that will work on them. */
static unsigned *new_array(size_t count, int threads)
{
    unsigned *array = allocate(count * sizeof *array);
    (void)threads; // not used without OpenMP
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t n = 0; n < count; n++)
        array[n] = 1; // zeros would be left to the system, which shares one page of them
    return array;
}

/** Adds 1 on the way, lest the compiler calls memcpy, which writes past the caches as no solver does. */
static void copy(unsigned *to, const unsigned *from, size_t count, int threads)
{
    (void)threads;
#pragma omp parallel for simd schedule(static) num_threads(threads)
    for (size_t n = 0; n < count; n++)
        to[n] = from[n] + 1;
}

/** GB/s of the fastest copy. In place if there is no other array. */
static double fastest_copy(size_t count, int in_place, int threads)
{
    unsigned *from = new_array(count, threads), *to = in_place ? from : new_array(count, threads);
    double best = 0.0;
    for (int n = 0; n < COPIES; n++) {
        const double start = now();
        copy(to, from, count, threads);
        best = fmax(best, 2.0 * (double)(count * sizeof *to) / (now() - start) / 1e9);
    }
    volatile unsigned last = to[count - 1]; // read, lest the compiler drops the copies
    (void)last;
    if (!in_place)
        free(to);
    free(from);
    return best;
}

HostCopy measure_host_copy(void)
{
    const size_t count = copy_size(usual_copy, free_memory()) / sizeof(unsigned);
    HostCopy result = {fastest_copy(count, 0, 1), fastest_copy(count, 1, 1), 0.0, 1};
    result.all_cores = result.in_place;
#ifdef _OPENMP
    result.threads = omp_get_max_threads();
    result.all_cores = fastest_copy(count, 1, result.threads);
#endif
    return result;
}
