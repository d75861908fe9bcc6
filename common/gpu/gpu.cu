#include "gpu/gpu.h"

#include "flow/scenario.h"
#include "gpu/device.h"
#include "gpu/packet.h"
#include "host/fail.h"

#include <limits.h>
#include <stdio.h>

#ifdef __HIP__
const char *const gpu_api = "HIP";
#define ARCHITECTURES "-DCMAKE_HIP_ARCHITECTURES= and its name, which rocminfo prints"
#else
const char *const gpu_api = "CUDA";
#define ARCHITECTURES "-DCMAKE_CUDA_ARCHITECTURES=native"
#endif

void gpu_check(cudaError_t error, const char *file, int line)
{
    const char *hint = "";
    if (error == cudaErrorNoKernelImageForDevice || error == cudaErrorUnsupportedPtxVersion)
        hint = " (this build has no code for this GPU: configure with " ARCHITECTURES ")";
    if (error != cudaSuccess)
        fail(EXIT_MACHINE, "%s:%d: %s: %s%s", file, line, gpu_api, cudaGetErrorString(error), hint);
}

static unsigned limit(enum cudaDeviceAttr attribute)
{
    int value = 0;
    CHECK(cudaDeviceGetAttribute(&value, attribute, 0));
    return (unsigned)value;
}

static int require_device(void)
{
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0)
        fail(EXIT_MACHINE, "no %s device: %s (a build with -DLBM_BACKEND=cpu needs none)", gpu_api,
             error != cudaSuccess ? cudaGetErrorString(error) : "none found");
    return count;
}

int gpu_multiprocessors(void)
{
    require_device();
    return (int)limit(cudaDevAttrMultiProcessorCount);
}

int gpu_resident_blocks(void)
{
#if defined __CUDACC__ || defined __HIP__
    return gpu_multiprocessors();
#else
    return MULTIPROCESSORS;
#endif
}

size_t gpu_shared_bytes(void)
{
    require_device();
    return limit(cudaDevAttrMaxSharedMemoryPerBlockOptin);
}

const char *gpu_shared_shortage(size_t bytes)
{
    static char text[100];
    const size_t most = gpu_shared_bytes();
    snprintf(text, sizeof text, "a block takes %zu KiB of shared memory, of %zu on this device",
             (bytes + 1023) >> 10, most >> 10);
    return bytes <= most ? NULL : text;
}

int gpu_most_threads(const void *kernel)
{
    struct cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, kernel));
    return attributes.maxThreadsPerBlock;
}

#ifdef __CUDACC__
cudaLaunchAttribute dependent_launch(const void *kernel)
{
    static int allowed = -1; // all kernels are compiled for the same devices
    if (allowed < 0) {
        cudaFuncAttributes code;
        CHECK(cudaFuncGetAttributes(&code, kernel));
        allowed = limit(cudaDevAttrComputeCapabilityMajor) >= 9 && code.ptxVersion >= 90;
    }
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = allowed;
    return attribute;
}

cudaLaunchAttribute cooperative_launch(void)
{
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    return attribute;
}
#endif

void choose_device(int n)
{
    CHECK(cudaSetDevice(n % require_device()));
}

void check_block(int width, int height, Block shape)
{
    require_device();
    const unsigned threads = limit(cudaDevAttrMaxThreadsPerBlock);
    const unsigned most_x = limit(cudaDevAttrMaxBlockDimX), most_y = limit(cudaDevAttrMaxBlockDimY);
    if (shape.x > most_x || shape.y > most_y || (size_t)shape.x * shape.y > threads)
        fail(EXIT_USAGE,
             "block %ux%u is too large: this device takes up to %u threads, %u along x, %u along y", shape.x,
             shape.y, threads, most_x, most_y);
    if (((size_t)width + shape.x - 1) / shape.x * shape.x > INT_MAX)
        fail(EXIT_USAGE, "block %ux%u covers %d columns with more threads than an int can count", shape.x,
             shape.y, width);
    const unsigned most_blocks = limit(cudaDevAttrMaxGridDimY);
    if (((size_t)height + shape.y - 1) / shape.y > most_blocks)
        fail(EXIT_USAGE, "block %ux%u is too flat for %d rows: this device takes up to %u blocks along y",
             shape.x, shape.y, height, most_blocks);
}

void gpu_cover(const Scenario *scenario, Block shape, dim3 *grid, dim3 *block)
{
    check_block(scenario->width, scenario->height, shape);
    const unsigned most_blocks = limit(cudaDevAttrMaxGridDimZ);
    if ((unsigned)scenario->depth > most_blocks)
        fail(EXIT_USAGE, "%d cells along z are too many: this device takes up to %u blocks along z",
             scenario->depth, most_blocks);
    block->x = shape.x;
    block->y = shape.y;
    block->z = 1;
    grid->x = ((unsigned)scenario->width + shape.x - 1) / shape.x;
    grid->y = ((unsigned)scenario->height + shape.y - 1) / shape.y;
    grid->z = (unsigned)scenario->depth;
}

void gpu_need(size_t bytes)
{
    const double gib = 1024.0 * 1024.0 * 1024.0;
    const size_t available = free_device_memory();
    if (bytes > available)
        fail(EXIT_MACHINE, "not enough device memory: %.2f GiB needed, %.2f GiB free", (double)bytes / gib,
             (double)available / gib);
}

void check_waits(const int *timed_out)
{
    int is = 0;
    CHECK(cudaMemcpy(&is, timed_out, sizeof is, cudaMemcpyDeviceToHost));
    if (is)
        fail(EXIT_MACHINE, "a thread block waited " LONGEST_WAIT
                           " in vain for another one; all are to be resident together");
}
