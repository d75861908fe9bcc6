#include "machine.h"

#include "gpu.h"
#include "system.h"
#include "timing.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COPIES = 10, LINE_SIZE = 1024 };

static const size_t host_copy_size = (size_t)512 << 20;
#ifdef __CUDACC__
const int gpu_is_stand_in = 0;
static const size_t device_copy_size = (size_t)4096 << 20;
#else
const int gpu_is_stand_in = 1;
static const size_t device_copy_size = (size_t)256 << 20;
#endif

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

Machine find_machine(int gpu)
{
    Machine m = {"none", "none", "none", "unknown"};
    look_up(m.host, "/proc/cpuinfo", "model name", "model name");
    if (!gpu)
        return m;
#ifdef __CUDACC__
    int driver = 0, runtime = 0;
    char line[MACHINE_NAME_SIZE] = "";
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    look_up(line, "/proc/driver/nvidia/version", "NVRM", "version");
    const char *version = strtok(line, " "); // "... Kernel Module  580.82.07  ..."
    while (version && !(isdigit((unsigned char)*version) && strchr(version, '.')))
        version = strtok(NULL, " ");
    snprintf(m.device, sizeof m.device, "%.100s", device.name);
    snprintf(m.driver, sizeof m.driver, "%.60s, for CUDA up to %d.%d", version ? version : "unknown",
             driver / 1000, driver % 1000 / 10);
    snprintf(m.runtime, sizeof m.runtime, "%d.%d", runtime / 1000, runtime % 1000 / 10);
#else
    snprintf(m.device, sizeof m.device, "stand-in on the CPU");
#endif
    return m;
}

/* ---- Limits ---- */

void check_block(int width, int height, Block block)
{
    Scenario scenario;
    dim3 grid, threads;
    scenario.width = width;
    scenario.height = height;
    gpu_cover(&scenario, block, &grid, &threads);
}

size_t free_device_memory(void)
{
    size_t available = 0, total = 0;
    CHECK(cudaMemGetInfo(&available, &total));
    return available;
}

/* ---- Copies ---- */

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/** GB/s of the fastest copy so far, after another one of `bytes` that took the time since `start`. */
static double faster(double best, size_t bytes, double start)
{
    const double speed = 2.0 * (double)bytes / (now() - start) / 1e9;
    return speed > best ? speed : best;
}

double device_copy_bandwidth(void)
{
    const size_t bytes = smaller(device_copy_size, free_device_memory() / 4);
    char *from, *to;
    CHECK(cudaMalloc((void **)&from, bytes));
    CHECK(cudaMalloc((void **)&to, bytes));
    CHECK(cudaMemset(from, 1, bytes));
    double best = 0.0;
    for (int n = -2; n < COPIES; n++) { // the first two only wake the device
        CHECK(cudaDeviceSynchronize());
        const double start = now();
        CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice));
        CHECK(cudaDeviceSynchronize());
        best = n < 0 ? 0.0 : faster(best, bytes, start);
    }
    CHECK(cudaFree(from));
    CHECK(cudaFree(to));
    return best;
}

double host_copy_bandwidth(void)
{
    const size_t bytes = smaller(host_copy_size, free_memory() / 4);
    char *from = (char *)allocate(bytes), *to = (char *)allocate(bytes);
    memset(from, 1, bytes);
    memset(to, 2, bytes);
    volatile char last; // read, lest the compiler drops the copies
    double best = 0.0;
    for (int n = 0; n < COPIES; n++) {
        const double start = now();
        memcpy(to, from, bytes);
        last = to[bytes - 1];
        best = faster(best, bytes, start);
    }
    (void)last;
    free(from);
    free(to);
    return best;
}
