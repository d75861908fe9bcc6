/**
 * @file l2.cu
 * Streams of known size, for a profiler to see what stays in L2. Usage: l2 again|stream KERNEL MIB, or l2 for
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

// Loads the last blocks first, and stores nothing.
static __global__ void again(const float *, float *to)
{
    if (to[(size_t)(gridDim.x - 1 - blockIdx.x) * THREADS + threadIdx.x] == -1.0f)
        to[0] = 0.0f;
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

static void launch(void (*kernel)(const float *, float *), const float *from, float *to, size_t bytes)
{
    kernel<<<(unsigned)(bytes / THREADS / sizeof *to), THREADS>>>(from, to);
}

int main(int count, char **arguments)
{
    cudaDeviceProp device;
    if (count == 1 && cudaGetDeviceProperties(&device, 0) == cudaSuccess)
        return printf("%d\n", device.l2CacheSize) < 0;
    const size_t bytes = count == 4 ? (size_t)atoi(arguments[3]) * mebi : 0;
    float *from, *to;
    if (bytes < mebi || bytes > most || cudaMalloc(&from, most + mebi) || cudaMalloc(&to, most))
        return fprintf(stderr, "usage: l2 again|stream KERNEL MIB, with at most 512 MiB\n"), 2;
    for (size_t n = 0; n < sizeof kernels / sizeof *kernels; n++)
        if (strcmp(kernels[n].name, arguments[2]) == 0)
            launch(kernels[n].kernel, from, to, strcmp(arguments[1], "again") == 0 ? most : bytes);
    if (strcmp(arguments[1], "again") == 0) // the last bytes of the stream
        launch(again, from, to + (most - bytes) / sizeof *to, bytes);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
}
