/**
 * @file lane.h
 * For kernels in which each warp works on its own, and its lanes hand numbers to their neighbours: too many
 * shuffles for threads that take turns. A `Lane` is a float in each lane of a warp: on a GPU a float of one
 * thread; without one a vector of all lanes, and the warp is one call. The operators of C
 * work on both. A comparison gives a `LaneInt`, an int in each lane, that is not 0 where it holds; `&` and
 * `|` combine them. Functions over lanes are `static __device__ __forceinline__`.
 */
#ifndef LANE_H
#define LANE_H

#include "gpu.h"

/** Begins a function over lanes. */
#define LANE_FUNCTION static __device__ __forceinline__

/** Warps of a block. All blocks are full: of those in the last one some may have a warp_number too high. */
enum { WARPS_PER_BLOCK = 4 };

/** Launches a kernel in so many warps, rounded up to full blocks. */
#define LAUNCH_WARPS(kernel, warps, ...) LAUNCH(kernel, grid_of_warps(warps), block_of_warps(), __VA_ARGS__)

#ifdef __CUDACC__
#define LANES 32
enum { THREADS_PER_WARP = LANES };
typedef float Lane;
typedef int LaneInt;

/** A number in all lanes. */
LANE_FUNCTION Lane all_lanes(float value)
{
    return value;
}

/** The lane's number, 0 to LANES - 1. */
LANE_FUNCTION LaneInt lane_number(void)
{
    return (int)(threadIdx.x % LANES);
}

/** What the lane below has; the lowest has its own. */
LANE_FUNCTION Lane from_lane_below(Lane value)
{
    return __shfl_up_sync(~0u, value, 1);
}

/** What the lane above has; the highest has its own. */
LANE_FUNCTION Lane from_lane_above(Lane value)
{
    return __shfl_down_sync(~0u, value, 1);
}

/** In each lane the first value where the condition holds, else the second. */
LANE_FUNCTION Lane choose(LaneInt condition, Lane where_it_holds, Lane elsewhere)
{
    return condition ? where_it_holds : elsewhere;
}

/** Whether a condition holds in any lane: all lanes hear the same. */
LANE_FUNCTION int any_lane(LaneInt condition)
{
    return __any_sync(~0u, condition);
}

/** memory[index] of each lane; every index must be valid. */
LANE_FUNCTION Lane load(const float *memory, LaneInt index)
{
    return memory[index];
}

/** The same of words of bits. */
LANE_FUNCTION LaneInt load_bits(const unsigned *memory, LaneInt index)
{
    return (int)memory[index];
}

/** Sets memory[index] in the lanes where the condition holds. */
LANE_FUNCTION void store(float *memory, LaneInt index, LaneInt condition, Lane value)
{
    if (condition)
        memory[index] = value;
}

/** 1 / value, to two units in the last place for values up to 2^126. */
LANE_FUNCTION Lane reciprocal(Lane value)
{
    return __fdividef(1.0f, value);
}
#else
#include "lane_on_cpu.h"
#endif

/** The number of this warp in its launch, from 0. */
LANE_FUNCTION int warp_number(void)
{
    return (int)((blockIdx.x * blockDim.x + threadIdx.x) / THREADS_PER_WARP);
}

/** What LAUNCH_WARPS launches. */
static inline dim3 grid_of_warps(int warps)
{
    const dim3 grid = {(unsigned)(warps + WARPS_PER_BLOCK - 1) / WARPS_PER_BLOCK, 1, 1};
    return grid;
}

/** Its blocks. */
static inline dim3 block_of_warps(void)
{
    const dim3 block = {WARPS_PER_BLOCK * THREADS_PER_WARP, 1, 1};
    return block;
}

#endif
