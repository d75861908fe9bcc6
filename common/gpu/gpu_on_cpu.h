/**
 * @file gpu_on_cpu.h
 * CUDA without a GPU: the part of it that the .cu files use, for a C compiler. A launch runs its threads one
 * after another, in the order that LBM_THREAD_ORDER (thread_order.h) names; a kernel whose result depends on
 * it has a race. Launches that CUDA would refuse are refused here, too, but static shared memory is not
 * counted. Streams are in streams_on_cpu.h, threads that wait for each other in blocks_on_cpu.h.
 */
#pragma once

#include "gpu/accesses.h"

#include <stddef.h>
#include <stdint.h>

#ifdef RECORD_ACCESSES // an instruction of a kernel is to be one of the program
#define __global__ __attribute__((noinline))
#else
#define __global__
#endif
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define UNROLL

typedef struct {
    unsigned x, y, z;
} dim3;

/** The z of blocks each of whose threads is a warp, with all its lanes (lane.h). */
#define WARP_PER_THREAD (~0u)

/** The thread that runs now. */
extern dim3 gridDim, blockDim, blockIdx, threadIdx;

/** The kernel that was launched last. */
extern const char *launch_name;

/** Functions that are called at launches, and that allocate the memory of the device. */
typedef struct {
    void (*begin)(int together); /**< a launch begins: gridDim and blockDim are set */
    void (*end)(void);
    void *(*allocate)(size_t bytes); /**< NULL if there is no memory; it is not freed */
} Observer;

/** These functions, if any are set; else NULL. */
extern const Observer *observer;

#define LAUNCH(kernel, grid, block, ...)                                                                     \
    for (launch_name = #kernel, CHECK(launch_begin(grid, block)); launch_next();)                            \
        for (; threadIdx.x < launch_end; threadIdx.x++)                                                      \
    kernel(__VA_ARGS__)

/** In a kernel: adds to a number in memory and returns what it was before. No thread is interrupted within a
 * statement. */
#define atomicAdd(memory, value)                                                                             \
    _Generic(*(memory), int                                                                                  \
             : atomic_add_int, unsigned                                                                      \
             : atomic_add_unsigned, unsigned long long                                                       \
             : atomic_add_long, float                                                                        \
             : atomic_add_float, double                                                                      \
             : atomic_add_double)(memory, value)

#ifdef RECORD_ACCESSES // an atomic operation is to have a place in the program
#define ATOMIC_OPERATION static NOT_RECORDED __attribute__((noinline, unused))
#else
#define ATOMIC_OPERATION static inline
#endif

#define DEFINE_ATOMIC(name, Number, after)                                                                   \
    ATOMIC_OPERATION Number name(Number *memory, Number value)                                               \
    {                                                                                                        \
        const Number before = *memory;                                                                       \
        note_atomic(memory);                                                                                 \
        *memory = after;                                                                                     \
        return before;                                                                                       \
    }
DEFINE_ATOMIC(atomic_add_int, int, before + value)
DEFINE_ATOMIC(atomic_add_unsigned, unsigned, before + value)
DEFINE_ATOMIC(atomic_add_long, unsigned long long, before + value)
DEFINE_ATOMIC(atomic_add_float, float, before + value)
DEFINE_ATOMIC(atomic_add_double, double, before + value)
DEFINE_ATOMIC(atomicExch, int, value)

/** Does nothing: the emulator has no such cache. */
static inline void prefetch(const void *address)
{
    (void)address;
}

typedef enum {
    cudaSuccess,
    cudaErrorMemoryAllocation,
    cudaErrorInvalidConfiguration,
    cudaErrorInvalidValue,
    cudaErrorInvalidDevice,
    cudaErrorCooperativeLaunchTooLarge,
    cudaErrorInvalidClusterSize,
    cudaErrorNoKernelImageForDevice,
    cudaErrorUnsupportedPtxVersion,
    cudaErrorNotReady,
} cudaError_t;

enum { MOST_THREADS = 1024 };  /**< of a block */
enum { FEW_THREADS = 64 };     /**< whose stacks fit into a cache, of as many blocks as are resident */
enum { MULTIPROCESSORS = 16 }; /**< that hold blocks which wait for each other, of any device */

/** Keeps the reason why a launch is refused for cudaGetLastError, and returns it. */
cudaError_t refuse_launch(cudaError_t error);

/** Number of blocks of the grid. */
size_t block_count(void);

/** The number of the block that runs now, x first and z last. */
size_t block_number(void);

/** Makes the block with that number the one that runs now. */
void set_block(size_t number);

/** The block that runs now, for messages: "block (3, 1)", or with z in a grid with more than one. */
const char *name_of_block(void);

/** Refuses a grid or a block larger than a GPU takes. */
cudaError_t check_shape(dim3 grid, dim3 block);

/** Sets gridDim and blockDim, which check_shape took, of blocks that run `together` or one after another.
 * Until end_grid, subnormal numbers are kept, as on a GPU without --ftz=true. */
void begin_grid(dim3 grid, dim3 block, int together);

/** Ends begin_grid: subnormal numbers are treated as before. */
void end_grid(void);

/** Starts a launch on such a grid. */
cudaError_t launch_begin(dim3 grid, dim3 block);

/** Goes to the next threads: those of a row from threadIdx.x up to launch_end. 0 when all have run. */
int launch_next(void);

/** If the order is forward, that is the whole row, which then needs one call; else one thread. */
extern unsigned launch_end;

enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock,
    cudaDevAttrMaxBlockDimX,
    cudaDevAttrMaxBlockDimY,
    cudaDevAttrMaxGridDimY,
    cudaDevAttrMaxGridDimZ,
    cudaDevAttrMultiProcessorCount,
    cudaDevAttrMaxSharedMemoryPerBlockOptin,
};

enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };

struct cudaFuncAttributes {
    int maxThreadsPerBlock;
};

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaMemGetInfo(size_t *available, size_t *total);
cudaError_t cudaMalloc(void **memory, size_t bytes); /**< filled with NaN: reading it too early shows */
cudaError_t cudaFree(void *memory);
cudaError_t cudaMemset(void *memory, int value, size_t bytes);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaGetLastError(void); /**< the reason why a launch was refused, once */
const char *cudaGetErrorString(cudaError_t error);
