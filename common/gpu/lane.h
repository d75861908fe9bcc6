/**
 * @file lane.h
 * For kernels in which each warp works on its own and its lanes pass numbers to their neighbours, in too many
 * shuffles for an emulator that switches threads at each of them. A `Lane` is a float in each lane of a warp:
 * on a GPU a float of one thread; without one a vector of all lanes, and the warp is one call. The operators
 * of C work on both. A comparison gives a `LaneInt`, an int in each lane, that is not 0 where it holds; `&`
 * and `|` combine them. Functions over lanes are `static __device__ __forceinline__`.
 */
#ifndef LANE_H
#define LANE_H

#include "gpu/gpu.h"

/** Begins a function over lanes. */
#define LANE_FUNCTION static __device__ __forceinline__

/** Warps of a block. All blocks are full, so warp_number may be too high in some warps of the last one. */
enum { WARPS_PER_BLOCK = 4 };

/** Bounds the registers of such a kernel, so that a multiprocessor can hold at least so many blocks (not in HIP). */
#define LAUNCH_BOUNDS_OF_WARPS(blocks) __launch_bounds__(WARPS_PER_BLOCK *THREADS_PER_WARP, blocks)

/** Launches a kernel in so many warps, rounded up to full blocks. */
#define LAUNCH_WARPS(kernel, warps, ...) LAUNCH(kernel, grid_of_warps(warps), block_of_warps(), __VA_ARGS__)

#if defined __CUDACC__ || defined __HIP__
#ifdef __CUDACC__
#include <cuda_pipeline.h>
#endif

#define LANES 32
enum { THREADS_PER_WARP = LANES, BLOCK_Z = 1 };
typedef float Lane;
typedef int LaneInt;

/** Lane k of those that a thread has here, for code that is written for one lane. */
enum { LANES_OF_THREAD = 1 };
#define LANE(value, k) (value)

/** a b + c, rounded once; on the CPU twice. Of a and b one may be a plain float. */
#define FMA(a, b, c) fmaf(a, b, c)

/** The number of warps of a kernel that are resident at a time. */
#define WARPS_AT_ONCE(kernel) warps_at_once((const void *)(kernel))

/** The value of WARPS_AT_ONCE. */
static inline int warps_at_once(const void *kernel)
{
    int blocks, processors;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, WARPS_PER_BLOCK * LANES, 0));
    CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    return blocks * processors * WARPS_PER_BLOCK;
}

/** A number in all lanes. */
LANE_FUNCTION Lane broadcast(float value)
{
    return value;
}

/** a b + c, rounded once on the CPU as well: for a product whose rounding errors would add up. */
LANE_FUNCTION Lane fma_once(float a, Lane b, Lane c)
{
    return fmaf(a, b, c);
}

/** The lane's number, 0 to LANES - 1. */
LANE_FUNCTION LaneInt lane_number(void)
{
    return (int)(threadIdx.x % LANES);
}

/** A number that is the same in all lanes. As it comes out of a shuffle, the compiler knows that, and keeps
 * it once for the warp instead of in a register of each lane. */
LANE_FUNCTION int uniform(int value)
{
    return __shfl_sync(~0u, value, 0);
}

/** The value of the lane below; the lowest lane gets its own. */
LANE_FUNCTION Lane shuffle_up(Lane value)
{
    return __shfl_up_sync(~0u, value, 1);
}

/** The value of the lane above; the highest lane gets its own. */
LANE_FUNCTION Lane shuffle_down(Lane value)
{
    return __shfl_down_sync(~0u, value, 1);
}

/** In each lane the first value if the condition holds, else the second. */
LANE_FUNCTION Lane blend(LaneInt condition, Lane where_it_holds, Lane elsewhere)
{
    return condition ? where_it_holds : elsewhere;
}

/** Whether a condition holds in any lane: the same value in all lanes. */
LANE_FUNCTION int any(LaneInt condition)
{
    return __any_sync(~0u, condition);
}

/** memory[index] of each lane; every index must be valid. */
LANE_FUNCTION Lane load(const float *memory, LaneInt index)
{
    return memory[index];
}

/** The same for words of bits. */
LANE_FUNCTION LaneInt load_words(const unsigned *memory, LaneInt index)
{
    return (int)memory[index];
}

/** Prefetches into the L2 cache the words that load_words will load, without waiting. */
LANE_FUNCTION void prefetch_l2(const unsigned *memory, LaneInt index)
{
    prefetch(memory + index);
}

/** Sets memory[index] in the lanes where the condition holds. */
LANE_FUNCTION void store(float *memory, LaneInt index, LaneInt condition, Lane value)
{
    if (condition)
        memory[index] = value;
}

/** The same for words of bits. */
LANE_FUNCTION void store_words(unsigned *memory, LaneInt index, LaneInt condition, LaneInt bits)
{
    if (condition)
        memory[index] = (unsigned)bits;
}

/** The same for halves of words: the low ones of what the lanes hold. */
LANE_FUNCTION void store_halves(uint16_t *memory, LaneInt index, LaneInt condition, LaneInt bits)
{
    if (condition)
        memory[index] = (uint16_t)bits;
}

/** Place in a staging buffer for two numbers of each lane, which an asynchronous copy fills. */
typedef struct {
    float2 both[LANES];
} AsyncPair;

/** Declares so many such places of this warp, in shared memory. */
#define SHARED_BUFFERS(name, count)                                                                          \
    __shared__ AsyncPair name##_of_warps[WARPS_PER_BLOCK][count];                                            \
    AsyncPair *const name = name##_of_warps[threadIdx.x / LANES]

/** Begins to copy memory[2 index] of each lane, and the number after it; `memory` is aligned to 8 bytes. */
LANE_FUNCTION void copy_async(AsyncPair *buffer, const float *memory, LaneInt index)
{
    __pipeline_memcpy_async(&buffer->both[threadIdx.x % LANES], memory + 2 * (ptrdiff_t)index,
                            sizeof(float2));
}

/** Begins to copy the word memory[index] of each lane to place[lane], in shared memory. */
LANE_FUNCTION void copy_async_word(void *place, const void *memory, LaneInt index)
{
    __pipeline_memcpy_async((unsigned *)place + threadIdx.x % LANES, (const unsigned *)memory + index,
                            sizeof(unsigned));
}

/** Ends a batch of asynchronous copies: wait_prior waits for whole batches. */
LANE_FUNCTION void commit(void)
{
    __pipeline_commit();
}

/** Waits for all batches of copies except the newest so many. */
LANE_FUNCTION void wait_prior(int newest)
{
    __pipeline_wait_prior(newest);
}

/** Loads the two numbers of each lane out of a staging buffer whose copy has ended. */
LANE_FUNCTION void load_shared(const AsyncPair *buffer, Lane *first, Lane *second)
{
    const float2 both = buffer->both[threadIdx.x % LANES];
    *first = both.x;
    *second = both.y;
}

/** Loads memory[2 index] of each lane, and the number after it; `memory` is aligned to 8 bytes. */
LANE_FUNCTION void load_two(const float *memory, LaneInt index, Lane *first, Lane *second)
{
    const float2 both = ((const float2 *)memory)[index];
    *first = both.x;
    *second = both.y;
}

/** Sets memory[2 index] and the number after it in the lanes where the condition holds. */
LANE_FUNCTION void store_two(float *memory, LaneInt index, LaneInt condition, Lane first, Lane second)
{
    if (condition)
        ((float2 *)memory)[index] = make_float2(first, second);
}

/** 1 / value, to one unit in the last place; a subnormal number may count as 0. */
LANE_FUNCTION Lane reciprocal(Lane value)
{
#ifdef __HIP__
    return __builtin_amdgcn_rcpf(value);
#else
    float result;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(value));
    return result;
#endif
}
#else
#include "gpu/lane_on_cpu.h"
#endif

/** As gpu_shared_shortage, for what a block takes here: warps of the emulator may have fewer lanes than a
 * GPU's. */
static inline const char *lane_shared_shortage(size_t bytes)
{
    return gpu_shared_shortage(bytes * 32 / LANES);
}

/** The number of this warp in its block, from 0. */
LANE_FUNCTION int warp_in_block(void)
{
    return uniform((int)threadIdx.x / THREADS_PER_WARP);
}

/** The number of this warp in its launch, from 0. */
LANE_FUNCTION int warp_number(void)
{
    return uniform((int)((blockIdx.x * blockDim.x + threadIdx.x) / THREADS_PER_WARP));
}

/** The grid that LAUNCH_WARPS launches. */
static inline dim3 grid_of_warps(int warps)
{
    const dim3 grid = {(unsigned)(warps + WARPS_PER_BLOCK - 1) / WARPS_PER_BLOCK, 1, 1};
    return grid;
}

/** The blocks of that grid. */
static inline dim3 block_of_warps(void)
{
    const dim3 block = {WARPS_PER_BLOCK * THREADS_PER_WARP, 1, BLOCK_Z};
    return block;
}

#endif
