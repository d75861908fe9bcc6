/**
 * @file blocks_on_cpu.h
 * CUDA without a GPU: blocks whose threads work together, through shared memory, barriers and shuffles. The
 * threads of a block are fibres: each has a stack of its own, runs until it reaches a barrier, and then lets
 * the next one run. LBM_THREAD_ORDER (thread_order.h) says in which order they run from one barrier to the
 * next, and in which order the blocks run. A warp goes on as far as it can without the others. A missing
 * barrier shows as a result that depends on the order; what two threads do to one number at the same time
 * (`sum += x`) does not, as a thread is never interrupted between two barriers.
 *
 * A barrier is its place in the source. Threads that all wait, but not at the same one, end the program with
 * exit code 3 and a line that names the barrier. `__syncthreads` asks for every thread of the block, also for
 * those that returned; the others, like CUDA's, for the threads in their mask that did not return.
 *
 * Blocks run one after another, but those that LAUNCH_COOPERATIVE launches run together: each thread, until
 * it waits for its block, or looks in vain for what another block stores (packet.h). Where the order is
 * shuffled, one block after the other is interrupted among its threads, and goes on when no other block can.
 * Where all threads wait or look in vain, the program ends with a line that names the place. In which order
 * the stores of a thread become visible to other blocks the emulator does not know: here it is that of the
 * program.
 */
#ifndef BLOCKS_ON_CPU_H
#define BLOCKS_ON_CPU_H

#include "gpu/block_kernel.h"
#include "gpu/gpu_on_cpu.h"

#include <string.h>

/** A place where threads wait for each other. */
typedef struct {
    const char *name, *file;
    int line, number; /**< in the source */
} Barrier;

#define BARRIER(name) (&(const Barrier){name, __FILE__, __LINE__, __COUNTER__})

/**
 * Memory that a block's threads share: an array declared in a kernel, `__shared__ float row[32];`. It lies in
 * a section of the program of its own, where the emulator finds it, and fills it with bytes 0xff before each
 * block: NaN, if they are floats.
 */
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
    _Generic((value), float: shuffle_float, int: shuffle_int, unsigned: exchange)                            \
        (BARRIER(name), mask, value, lane)
// clang-format on

/** Waits for all threads of the block. Fails with exit code 3 in a kernel that LAUNCH launched. */
void wait_for_block(const Barrier *barrier);

/**
 * Waits for the threads of this warp that `mask` names, and gives what the one in a lane (modulo 32) brought;
 * from a lane that brought nothing, NaN's bits. Fails like wait_for_block.
 */
uint32_t exchange(const Barrier *barrier, uint32_t mask, uint32_t brought, int lane);

/** The same; a bit for each lane, set where the predicate holds. */
uint32_t vote(const Barrier *barrier, uint32_t mask, int predicate);

/** This thread's number in its warp. */
int own_lane(void);

/** The lane that is `distance` above this thread's; its own beyond the warp's ends. */
int lane_or_own(int distance);

/**
 * A thread that has looked in vain for what another block stores lets all others run, and looks again: 1.
 * `looks` counts how often. Fails with exit code 3 where no thread has got any further since.
 */
int look_again(const Barrier *place, unsigned *looks);

/** Where an address lies in the shared memory of a block that runs now, in bytes; -1: it does not. */
ptrdiff_t place_in_shared_memory(const void *address);

/** The memory that LAUNCH_BLOCKS was told to give each block. Fails with exit code 3 where it gave none. */
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

/** `exchange` for signed integers. */
static inline int shuffle_int(const Barrier *barrier, uint32_t mask, int value, int lane)
{
    return (int)exchange(barrier, mask, (uint32_t)value, lane);
}

/** Runs a kernel's threads, block by block; what LAUNCH_BLOCKS calls. */
cudaError_t launch_blocks(dim3 grid, dim3 block, size_t shared_bytes, void (*thread)(const void *),
                          const void *arguments);

/** The same, all blocks together; what LAUNCH_COOPERATIVE calls. */
cudaError_t launch_together(dim3 grid, dim3 block, size_t shared_bytes, void (*thread)(const void *),
                            const void *arguments);

#define LAUNCH_BLOCKS(kernel, grid, block, shared_bytes, ...)                                                \
    CHECK((launch_name = #kernel, launch_blocks(grid, block, shared_bytes, kernel##_thread,                  \
                                                &(const struct kernel##_arguments){__VA_ARGS__})))

#define LAUNCH_COOPERATIVE(kernel, grid, block, shared_bytes, ...)                                           \
    CHECK((launch_name = #kernel, launch_together(grid, block, shared_bytes, kernel##_thread,                \
                                                  &(const struct kernel##_arguments){__VA_ARGS__})))

#endif
