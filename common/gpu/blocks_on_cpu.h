/**
 * @file blocks_on_cpu.h
 * CUDA without a GPU: blocks whose threads work together, through shared memory, barriers and shuffles. The
 * threads of a block are fibres: each has a stack of its own, runs until it reaches a barrier, and then lets
 * the next one run, in the order that LBM_THREAD_ORDER (thread_order.h) names. A missing barrier shows as a
 * result that depends on the order; a race within one statement (`sum += x`) does not show.
 *
 * A barrier is identified by its place in the source. If all threads wait, but not at the same barrier, the
 * program ends with exit code 3 and a line that names it. `__syncthreads` waits for every thread of the block,
 * even if it returned; the others, as in CUDA, for threads in their mask that did not return.
 *
 * Blocks run one after another, but those of LAUNCH_COOPERATIVE together: each thread runs until it waits for
 * its block, or polls in vain for a store of another block (packet.h). If the order is shuffled, one block
 * after the other is interrupted, between two threads or at a preemption_point, and goes on when no other
 * block can. If all threads wait or poll in vain, the program ends with a line that names the place. Stores
 * become visible to other blocks at once, in the order of the program, which a GPU does not promise.
 */
#pragma once

#include "gpu/block_kernel.h"
#include "gpu/gpu_on_cpu.h"
#include "gpu/streams_on_cpu.h"

#include <string.h>

/** A place where threads wait for each other. */
typedef struct {
    const char *name, *file;
    int line, number; /**< in the source */
} Barrier;

#define BARRIER(name) (&(const Barrier){name, __FILE__, __LINE__, __COUNTER__})

/** Memory that a block's threads share, `__shared__ float row[32];`: a section of the program, which the
 * emulator fills with bytes 0xff (NaN, if they are floats) before each block. */
#define __shared__         static __attribute__((section("shared_memory")))
#define SHARED(type, name) type *const name = (type *)dynamic_shared_memory(__FILE__, __LINE__)

#define __syncthreads() wait_for_block(BARRIER("__syncthreads"))
#define __syncwarp()    ((void)exchange(BARRIER("__syncwarp"), ~0u, 0, 0))

#define __any_sync(mask, predicate)    (vote(BARRIER("__any_sync"), mask, (predicate) != 0) != 0)
#define __all_sync(mask, predicate)    (vote(BARRIER("__all_sync"), mask, (predicate) == 0) == 0)
#define __ballot_sync(mask, predicate) vote(BARRIER("__ballot_sync"), mask, (predicate) != 0)

// clang-format off
#define __shfl_sync(mask, value, lane)       SHUFFLE("__shfl_sync", mask, value, lane)
#define __shfl_up_sync(mask, value, delta)   SHUFFLE("__shfl_up_sync", mask, value, lane_or_own(-(delta)))
#define __shfl_down_sync(mask, value, delta) SHUFFLE("__shfl_down_sync", mask, value, lane_or_own(delta))
#define __shfl_xor_sync(mask, value, bits)   SHUFFLE("__shfl_xor_sync", mask, value, own_lane() ^ (bits))

#define SHUFFLE(name, mask, value, lane)                                                                     \
    _Generic((value), float: shuffle_float, double: shuffle_double, int: shuffle_int, unsigned: exchange)    \
        (BARRIER(name), mask, value, lane)
// clang-format on

/** Waits for all threads of the block. Fails with exit code 3 in a kernel that LAUNCH launched. */
void wait_for_block(const Barrier *barrier);

/** Waits for the threads of this warp in `mask`, and returns the value of the one in a lane (modulo 32); for
 * a lane without a value, the bits of NaN. Fails like wait_for_block. */
uint32_t exchange(const Barrier *barrier, uint32_t mask, uint32_t brought, int lane);

/** The same, but returns a bit for each lane, set if its predicate is true. */
uint32_t vote(const Barrier *barrier, uint32_t mask, int predicate);

/** This thread's number in its warp. */
int own_lane(void);

/** The lane that is `distance` above this thread's; its own beyond the warp's ends. */
int lane_or_own(int distance);

/** Called by a thread that has polled in vain for a store of another block: lets all others run. Returns 1.
 * `polls` counts the calls. Fails with exit code 3 if no thread has made progress since. */
int poll_again(const Barrier *place, unsigned *polls);

/** Called by a thread after a store for which other blocks poll: it may be interrupted here. */
void preemption_point(void);

/** The place of an address in the shared memory of a running block, in bytes; -1: it is not there. */
ptrdiff_t place_in_shared_memory(const void *address);

/** The memory that LAUNCH_BLOCKS allocated for each block. Fails with exit code 3 if there is none. */
void *dynamic_shared_memory(const char *file, int line);

/** `exchange` for floats. */
static inline float shuffle_float(const Barrier *barrier, uint32_t mask, float value, int lane)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    bits = exchange(barrier, mask, bits, lane);
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

/** `exchange` for doubles, in two halves, as on a GPU. */
static inline double shuffle_double(const Barrier *barrier, uint32_t mask, double value, int lane)
{
    uint32_t bits[2];
    __builtin_memcpy(bits, &value, sizeof bits);
    for (int n = 0; n < 2; n++)
        bits[n] = exchange(barrier, mask, bits[n], lane);
    __builtin_memcpy(&value, bits, sizeof value);
    return value;
}

/** `exchange` for signed integers. */
static inline int shuffle_int(const Barrier *barrier, uint32_t mask, int value, int lane)
{
    return (int)exchange(barrier, mask, (uint32_t)value, lane);
}

/** Runs a kernel's threads. */
typedef cudaError_t BlockLaunch(dim3 grid, dim3 block, size_t shared_bytes, void (*thread)(const void *),
                                const void *arguments);

/** Block by block. Called by LAUNCH_BLOCKS. */
BlockLaunch launch_blocks;

/** All blocks together. Called by LAUNCH_COOPERATIVE. */
BlockLaunch launch_together;

/** One of the two, as `launch`, in a stream. Called by LAUNCH_BLOCKS_ON and LAUNCH_COOPERATIVE_ON. */
cudaError_t launch_blocks_on(cudaStream_t stream, const KernelNode *node, size_t shared_bytes,
                             BlockLaunch *launch);

#define LAUNCH_BLOCKS(kernel, grid, block, shared_bytes, ...)                                                \
    CHECK((launch_name = #kernel, launch_blocks(grid, block, shared_bytes, kernel##_thread,                  \
                                                &(const struct kernel##_arguments){__VA_ARGS__})))

#define LAUNCH_BLOCKS_AS(launch, stream, kernel, grid, block, shared_bytes, ...)                             \
    CHECK(launch_blocks_on(stream,                                                                           \
                           &(const KernelNode){#kernel, grid, block, kernel##_thread,                        \
                                               &(const struct kernel##_arguments){__VA_ARGS__},              \
                                               sizeof(struct kernel##_arguments)},                           \
                           shared_bytes, launch))
#define LAUNCH_BLOCKS_ON(...)      LAUNCH_BLOCKS_AS(launch_blocks, __VA_ARGS__)
#define LAUNCH_COOPERATIVE_ON(...) LAUNCH_BLOCKS_AS(launch_together, __VA_ARGS__)

#define LAUNCH_COOPERATIVE(kernel, grid, block, shared_bytes, ...)                                           \
    CHECK((launch_name = #kernel, launch_together(grid, block, shared_bytes, kernel##_thread,                \
                                                  &(const struct kernel##_arguments){__VA_ARGS__})))
