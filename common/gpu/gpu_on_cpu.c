#include "gpu/gpu_on_cpu.h"

#include "gpu/known_devices.h"
#include "gpu/streams_on_cpu.h"
#include "gpu/thread_order.h"
#include "host/allocate.h"
#include "host/subnormal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS_Y = 65535, MOST_BLOCKS_Z = 65535 }; // of a grid

dim3 gridDim, blockDim, blockIdx, threadIdx;
unsigned launch_end;
const char *launch_name;
const Observer *observer;

/** The launch that runs now, and how many of its threads have run. */
static Schedule schedule;
static size_t done;

/** Whether the host flushed subnormal numbers before the launch that runs now. */
static int flushed;

/** The last launch that was refused; cudaSuccess if that has been told. */
static cudaError_t last_error;

cudaError_t refuse_launch(cudaError_t error)
{
    last_error = error;
    return error;
}

size_t block_count(void)
{
    return (size_t)gridDim.x * gridDim.y * gridDim.z;
}

size_t block_number(void)
{
    return ((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

void set_block(size_t number)
{
    blockIdx.x = (unsigned)(number % gridDim.x);
    blockIdx.y = (unsigned)(number / gridDim.x % gridDim.y);
    blockIdx.z = (unsigned)(number / gridDim.x / gridDim.y);
}

const char *name_of_block(void)
{
    static char name[64];
    const int length = snprintf(name, sizeof name, "block (%u, %u", blockIdx.x, blockIdx.y);
    if (gridDim.z > 1)
        snprintf(name + length, sizeof name - length, ", %u)", blockIdx.z);
    else
        snprintf(name + length, sizeof name - length, ")");
    return name;
}

cudaError_t check_shape(dim3 grid, dim3 block)
{
    const int fits = block.x > 0 && block.y > 0 && grid.x > 0 && grid.y > 0 && block.x <= MOST_THREADS &&
                     block.y <= MOST_THREADS && block.x * block.y <= MOST_THREADS && grid.x <= INT_MAX &&
                     grid.y <= MOST_BLOCKS_Y && grid.z <= MOST_BLOCKS_Z &&
                     (block.z <= 1 || block.z == WARP_PER_THREAD);
    return fits ? cudaSuccess : refuse_launch(cudaErrorInvalidConfiguration);
}

void begin_grid(dim3 grid, dim3 block, int together)
{
    gridDim = grid;
    if (grid.z == 0) // an initializer without z leaves 0 in C, and 1 in CUDA C++
        gridDim.z = 1;
    blockDim = block;
    flushed = flush_subnormals(0);
    if (observer)
        observer->begin(together);
}

void end_grid(void)
{
    flush_subnormals(flushed);
    if (observer)
        observer->end();
}

cudaError_t launch_begin(dim3 grid, dim3 block)
{
    const cudaError_t error = check_shape(grid, block);
    if (error != cudaSuccess)
        return error;
    begin_in_default_stream();
    begin_grid(grid, block, 0);
    make_schedule(&schedule, block_count() * block.x * block.y);
    done = 0;
    return cudaSuccess;
}

int launch_next(void)
{
    if (done == schedule.count) {
        if (done > 0) // else the launch was refused
            end_grid();
        done = schedule.count = 0;
        return 0;
    }
    size_t n = scheduled(&schedule, done);
    threadIdx.x = n % blockDim.x;
    launch_end = schedule.order == FORWARD ? blockDim.x : threadIdx.x + 1;
    done += launch_end - threadIdx.x;
    n /= blockDim.x;
    threadIdx.y = n % blockDim.y;
    set_block(n / blockDim.y);
    return 1;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    emulated_device(); // which fails if there is none of that name
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    (void)device;
    const KnownDevice *known = emulated_device();
    *value = attribute == cudaDevAttrMaxGridDimY                    ? MOST_BLOCKS_Y
             : attribute == cudaDevAttrMaxGridDimZ                  ? MOST_BLOCKS_Z
             : attribute == cudaDevAttrMultiProcessorCount          ? known->multiprocessors
             : attribute == cudaDevAttrMaxSharedMemoryPerBlockOptin ? (int)known->shared_bytes
                                                                    : MOST_THREADS;
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel)
{
    (void)kernel;
    attributes->maxThreadsPerBlock = FEW_THREADS;
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    *available = *total = free_memory();
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    *memory = observer ? observer->allocate(bytes) : malloc(bytes);
    if (!*memory)
        return cudaErrorMemoryAllocation;
    memset(*memory, 0xff, bytes);
    return cudaSuccess;
}

cudaError_t cudaFree(void *memory)
{
    finish_streams();
    if (!observer)
        free(memory);
    return cudaSuccess;
}

cudaError_t cudaMemset(void *memory, int value, size_t bytes)
{
    begin_in_default_stream();
    memset(memory, value, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    (void)kind;
    begin_in_default_stream();
    memcpy(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

const char *cudaGetErrorString(cudaError_t error)
{
    static const char *const texts[] = {
        [cudaErrorMemoryAllocation] = "out of memory", // CUDA's words
        [cudaErrorInvalidConfiguration] = "invalid configuration argument",
        [cudaErrorInvalidValue] = "invalid argument",
        [cudaErrorInvalidDevice] = "invalid device ordinal",
        [cudaErrorCooperativeLaunchTooLarge] = "too many blocks in cooperative launch",
        [cudaErrorInvalidClusterSize] = "invalid cluster size",
        [cudaErrorNotReady] = "device not ready",
    };
    return texts[error] ? texts[error] : "error";
}
