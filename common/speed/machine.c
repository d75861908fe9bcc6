#include "machine.h"

#include "allocate.h"
#include "clock.h"
#include "device.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COPIES = 10, LINE_SIZE = 1024 };

static const size_t copy_size = (size_t)512 << 20;

/* ---- Names ---- */

/** Finds what follows `key` in a file, in a line that starts with `start`; leaves `value` alone without it.
 */
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
        const Device device = find_device();
        snprintf(m.device, sizeof m.device, "%s", device.name);
        if (!gpu_is_stand_in)
            name_driver(&m, &device);
    }
    return m;
}

/* ---- Copies ---- */

double host_copy_bandwidth(void)
{
    const size_t quarter = free_memory() / 4, bytes = copy_size < quarter ? copy_size : quarter;
    char *from = allocate(bytes), *to = allocate(bytes);
    memset(from, 1, bytes);
    memset(to, 2, bytes);
    volatile char last; // read, lest the compiler drops the copies
    double best = 0.0;
    for (int n = 0; n < COPIES; n++) {
        const double start = now();
        memcpy(to, from, bytes);
        last = to[bytes - 1];
        best = fmax(best, 2.0 * (double)bytes / (now() - start) / 1e9);
    }
    (void)last;
    free(from);
    free(to);
    return best;
}
