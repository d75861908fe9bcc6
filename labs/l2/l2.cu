/**
 * @file l2.cu
 * Streams of known size, for a profiler to see which stored bytes L2 keeps. Usage: l2 KERNEL MIB, or l2 for
 * the size of the cache.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 128, ROW = 2048 };
static const size_t mebi = 1 << 20, most = 512 * mebi;

static __device__ size_t own()
{
    return (size_t)blockIdx.x * THREADS + threadIdx.x;
}

static __global__ void store(const float *, float *to)
{
    to[own()] = 1.0f;
}

static __global__ void update(const float *, float *to)
{
    to[own()] += 1.0f;
}

static __global__ void copy(const float *from, float *to)
{
    to[own()] = from[own()];
}

// Three blocks load each float.
static __global__ void add_rows(const float *from, float *to)
{
    to[own()] = from[own()] + from[own() + ROW] + from[own() + 2 * ROW];
}

static const struct {
    const char *name;
    void (*kernel)(const float *from, float *to);
} kernels[] = {
    {"store",    store   },
    {"update",   update  },
    {"copy",     copy    },
    {"add_rows", add_rows}
};

int main(int count, char **arguments)
{
    cudaDeviceProp device;
    if (count == 1 && cudaGetDeviceProperties(&device, 0) == cudaSuccess)
        return printf("%d\n", device.l2CacheSize) < 0;
    char *end = NULL;
    const size_t mib = count == 3 ? strtoul(arguments[2], &end, 10) : 0,
                 bytes = mib <= most / mebi ? mib * mebi : 0;
    float *from, *to;
    if (bytes == 0 || *end != '\0' || cudaMalloc(&from, most + mebi) || cudaMalloc(&to, most))
        return fprintf(stderr, "usage: l2 KERNEL MIB, with 1 to 512 MiB\n"), 2;
    for (size_t n = 0; n < sizeof kernels / sizeof *kernels; n++)
        if (strcmp(kernels[n].name, arguments[1]) == 0)
            kernels[n].kernel<<<(unsigned)(bytes / THREADS / sizeof *to), THREADS>>>(from, to);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
}
