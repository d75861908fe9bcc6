/**
 * @file gpu.h
 * The one header of the .cu files: CUDA or, without a GPU, its emulator, which runs the same kernels on the
 * CPU. The files keep to the common subset of C17 and CUDA C++; nvcc, hipcc or the C compiler compiles them.
 */
#pragma once

#if defined __CUDACC__ || defined __HIP__
#ifdef __HIP__
#include "gpu/hip.h"
#else
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#endif
#include <type_traits>

/** Launches a kernel on a grid of blocks; ends the program if the device refuses the launch. */
#define LAUNCH(kernel, grid, block, ...)                                                                     \
    do {                                                                                                     \
        kernel<<<grid, block>>>(__VA_ARGS__);                                                                \
        CHECK(cudaGetLastError());                                                                           \
    } while (0)

/** The same in a stream. */
#define LAUNCH_ON(stream, kernel, grid, block, ...)                                                          \
    do {                                                                                                     \
        kernel<<<grid, block, 0, stream>>>(__VA_ARGS__);                                                     \
        CHECK(cudaGetLastError());                                                                           \
    } while (0)

/** Allows a kernel so much shared memory, which may exceed the default limit. */
#define ALLOW_SHARED(kernel, shared_bytes)                                                                   \
    do {                                                                                                     \
        if ((shared_bytes) > 48 << 10)                                                                       \
            CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,                  \
                                       (int)(shared_bytes)));                                                \
    } while (0)

/** As LAUNCH, for a kernel whose threads wait for each other; SHARED gets so many bytes for each block. */
#define LAUNCH_BLOCKS(kernel, grid, block, shared_bytes, ...)                                                \
    LAUNCH_BLOCKS_ON(0, kernel, grid, block, shared_bytes, __VA_ARGS__)

/** The same in a stream. */
#define LAUNCH_BLOCKS_ON(stream, kernel, grid, block, shared_bytes, ...)                                     \
    do {                                                                                                     \
        ALLOW_SHARED(kernel, shared_bytes);                                                                  \
        kernel<<<grid, block, shared_bytes, stream>>>(__VA_ARGS__);                                          \
        CHECK(cudaGetLastError());                                                                           \
    } while (0)

#ifdef __CUDACC__
/** A launch with an attribute. */
#define LAUNCH_WITH(attribute, stream, kernel, grid, block, shared_bytes, ...)                               \
    do {                                                                                                     \
        cudaLaunchAttribute launch_attribute = attribute;                                                    \
        const cudaLaunchConfig_t launch_config = {grid, block, shared_bytes, stream, &launch_attribute, 1};  \
        ALLOW_SHARED(kernel, shared_bytes);                                                                  \
        CHECK(cudaLaunchKernelEx(&launch_config, kernel, __VA_ARGS__));                                      \
    } while (0)

/**
 * As LAUNCH_ON, by programmatic dependent launch, where the device has it (compute capability 9.0): the kernel
 * may start before the previous one in the stream ends, and calls grid_dependency_sync() before it uses the
 * results of that one. The stream may capture a graph. Takes a BLOCK_KERNEL.
 */
#define LAUNCH_DEPENDENT(stream, kernel, grid, block, ...)                                                   \
    LAUNCH_WITH(dependent_launch((const void *)kernel), stream, kernel, grid, block, 0, __VA_ARGS__)

/** As LAUNCH_BLOCKS, for blocks that wait for each other: resident together, or the launch is refused. */
#define LAUNCH_COOPERATIVE(kernel, grid, block, shared_bytes, ...)                                           \
    LAUNCH_COOPERATIVE_ON(0, kernel, grid, block, shared_bytes, __VA_ARGS__)

/** The same in a stream. */
#define LAUNCH_COOPERATIVE_ON(stream, kernel, grid, block, shared_bytes, ...)                                \
    LAUNCH_WITH(cooperative_launch(), stream, kernel, grid, block, shared_bytes, __VA_ARGS__)

/** The attribute of LAUNCH_DEPENDENT; it has no effect where the device or the kernel's code can't wait. */
cudaLaunchAttribute dependent_launch(const void *kernel);

/** The attribute of LAUNCH_COOPERATIVE. */
cudaLaunchAttribute cooperative_launch(void);

/** In a kernel that LAUNCH_DEPENDENT launched: waits until the previous one is complete. */
static __device__ inline void grid_dependency_sync(void)
{
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

/** The next one may start when all blocks of this one have called trigger_dependent_launch, or returned. */
static __device__ inline void trigger_dependent_launch(void)
{
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

#endif

/** Stands after a kernel for LAUNCH_BLOCKS and names the types of its parameters: the emulator needs them. */
#define BLOCK_KERNEL(kernel, ...)                                                                            \
    static_assert(std::is_same<decltype(kernel), void(__VA_ARGS__)>::value,                                  \
                  "the kernel " #kernel " has other parameters than BLOCK_KERNEL names")

#ifdef __CUDACC__
/** In a kernel: prefetches the cache line of 128 bytes around an address into L2, without waiting. */
static __device__ inline void prefetch(const void *address)
{
    asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(address)));
}
#endif

/** Before a loop over an array: the array then stays in registers. */
#define UNROLL _Pragma("unroll")

/** In a kernel: the shared memory of this block whose size the launch sets, as an array. */
#define SHARED(type, name) extern __shared__ __align__(16) type name[]
#else
#include "gpu/accesses.h"
#include "gpu/blocks_on_cpu.h"
#include "gpu/graphs_on_cpu.h"
#include "gpu/half_on_cpu.h"
#endif

#include "gpu/block.h"
#include "lattice/cell.h"

/** The threads that run as one: those of a warp or, with HIP, of the largest wave. */
#ifdef __HIP__
#define WARP_SIZE 64
#else
#define WARP_SIZE 32
#endif

/** Kernels for each.h, which stands behind this file. */
#define EACH(name, Arguments)                                                                                \
    static __global__ void name##_kernel(Arguments arguments, CellNumber count)                              \
    {                                                                                                        \
        const CellNumber n = blockIdx.x * blockDim.x + threadIdx.x;                                          \
        if (n < count)                                                                                       \
            name(&arguments, n);                                                                             \
    }                                                                                                        \
    static inline void name##_each(Arguments arguments, CellNumber count)                                    \
    {                                                                                                        \
        const dim3 block = {256, 1, 1}, grid = {(count + 255) / 256, 1, 1};                                  \
        LAUNCH(name##_kernel, grid, block, arguments, count);                                                \
    }

/** Of the flow (scenario.h), of which a launch needs the grid alone. */
typedef struct Scenario Scenario;

/** Ends the program with exit code 3, file, line and CUDA's text unless the call succeeded. */
#define CHECK(call) gpu_check(call, __FILE__, __LINE__)

#ifdef __cplusplus
extern "C" {
#endif

/** Called by CHECK. */
void gpu_check(cudaError_t error, const char *file, int line);

/** The launch that has one thread for each cell; the cells of a block have the same z. Fails with exit code 3
 * if there is no device, and with 2 if it can't run such blocks. */
void gpu_cover(const Scenario *scenario, Block shape, dim3 *grid, dim3 *block);

/** Multiprocessors of the device. */
int gpu_multiprocessors(void);

/** How many blocks are resident together: one on each multiprocessor; on the emulator as many as fit. */
int gpu_resident_blocks(void);

/** Bytes of shared memory that one block can have. */
size_t gpu_shared_bytes(void);

/** Why a block can't have so many bytes of shared memory, for Stage.unsupported; NULL if it can. */
const char *gpu_shared_shortage(size_t bytes);

/** Threads that a block of this kernel can have, given its registers; on the emulator, a fast number. */
#define GPU_MOST_THREADS(kernel) gpu_most_threads((const void *)kernel)

/** Called by GPU_MOST_THREADS. */
int gpu_most_threads(const void *kernel);

/** Fails with exit code 3, saying what is needed and what is free, unless the device has the memory. */
void gpu_need(size_t bytes);

#ifdef __cplusplus
}
#endif
