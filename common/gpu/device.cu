#include "gpu/device.h"

#include "gpu/gpu.h"
#include "gpu/known_devices.h"
#include "host/clock.h"
#include "host/fail.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COPIES = 10 };

#if defined __CUDACC__ || defined __HIP__
const int gpu_is_emulated = 0;
static const size_t usual_copy = (size_t)4096 << 20;

Device find_device(int n)
{
    Device d;
    cudaDeviceProp properties;
    int count;
    CHECK(cudaGetDeviceCount(&count));
    CHECK(cudaGetDeviceProperties(&properties, n % count));
    CHECK(cudaDeviceGetPCIBusId(d.bus, sizeof d.bus, n % count));
    CHECK(cudaDriverGetVersion(&d.newest_cuda));
    CHECK(cudaRuntimeGetVersion(&d.built_with));
    snprintf(d.name, sizeof d.name, "%.100s", properties.name);
    d.capability = 10 * properties.major + properties.minor;
    return d;
}
#else
const int gpu_is_emulated = 1;
static const size_t usual_copy = (size_t)256 << 20;

Device find_device(int n)
{
    (void)n; // it is one
    const KnownDevice *known = emulated_device();
    Device d = {"emulator on the CPU", known->capability, "", 0, 0};
    if (*known->name)
        snprintf(d.name, sizeof d.name, "emulator on the CPU, with the limits of %s", known->product);
    return d;
}
#endif

size_t free_device_memory(void)
{
    size_t available = 0, total = 0;
    CHECK(cudaMemGetInfo(&available, &total));
    return available;
}

size_t copy_size(size_t usual, size_t available)
{
    const char *text = getenv("LBM_COPY_MIB");
    if (text) {
        char *end;
        const long mib = strtol(text, &end, 10);
        if (end == text || *end != '\0' || mib < 1 || mib > 65536)
            fail(EXIT_USAGE, "LBM_COPY_MIB is \"%s\"; it takes an integer from 1 to 65536", text);
        usual = (size_t)mib << 20;
    }
    return usual < available / 4 ? usual : available / 4;
}

double device_copy_bandwidth(void)
{
    const size_t bytes = copy_size(usual_copy, free_device_memory());
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
        best = n < 0 ? 0.0 : fmax(best, 2.0 * (double)bytes / (now() - start) / 1e9);
    }
    CHECK(cudaFree(from));
    CHECK(cudaFree(to));
    return best;
}
