#include "gpu/known_devices.h"

#include "host/fail.h"

#include <stdlib.h>
#include <string.h>

enum { KIB = 1 << 10 };

// Multiprocessors, L2 and bandwidth: NVIDIA's white papers on Turing (RTX 2080), Ada (RTX 4090), RTX
// Blackwell (RTX 5090), A100 and H100, its announcements of RTX 3060 and of RTX 4060, whose L2 it compares
// with that of RTX 3060, and its data sheets of A100 80GB, H100 and H200. The size of an H200's L2 is what
// the GPU reports. Shared memory and clusters: the CUDA C++ Programming Guide, compute capabilities; 8 blocks
// of a cluster are portable, 16 what 9.0 allows besides. The first device is an H200 but for the
// multiprocessors; its bandwidth is that of a copy on 2026-11-22, in a table that a later one replaced. On
// other days, of the tables in labs/results/nvidia-h200/, copies made 4234 to 4285 GB/s.
const KnownDevice known_devices[] = {
    {"",        "",                      90,  16,  227 * KIB, 16, 0.0,  4292.2},
    {"rtx2080", "GeForce RTX 2080",      75,  46,  64 * KIB,  0,  4.0,  448.0 },
    {"rtx3060", "GeForce RTX 3060 12GB", 86,  28,  99 * KIB,  0,  3.0,  360.0 },
    {"rtx4090", "GeForce RTX 4090",      89,  128, 99 * KIB,  0,  72.0, 1008.0},
    {"rtx5090", "GeForce RTX 5090",      120, 170, 99 * KIB,  8,  96.0, 1792.0},
    {"a100",    "A100 80GB SXM",         80,  108, 163 * KIB, 0,  40.0, 2039.0},
    {"h100",    "H100 SXM",              90,  132, 227 * KIB, 16, 50.0, 3350.0},
    {"h200",    "H200 SXM",              90,  132, 227 * KIB, 16, 60.0, 4800.0},
};
const int known_device_count = sizeof known_devices / sizeof *known_devices;

const KnownDevice *find_known_device(const char *name)
{
    for (int n = 0; n < known_device_count; n++)
        if (strcmp(known_devices[n].name, name) == 0)
            return &known_devices[n];
    return NULL;
}

const KnownDevice *emulated_device(void)
{
    const char *name = getenv("LBM_DEVICE");
    const KnownDevice *device = find_known_device(name ? name : "");
    if (!device)
        fail(EXIT_USAGE, "LBM_DEVICE is \"%s\"; it takes " KNOWN_DEVICE_NAMES, name);
    return device;
}
