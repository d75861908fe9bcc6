/**
 * @file resident.h
 * Kernels that synchronise after each of the steps from `first` on, up to last - 1: blocks that are resident
 * together, the threads of one block, and a load.
 */
#ifndef RESIDENT_H
#define RESIDENT_H

#include "waits.h"

#include <cooperative_groups.h>

static __device__ inline unsigned load_acquire(const unsigned *word)
{
    unsigned value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
    return value;
}

// A packet's second half has the third population and the step.
static __device__ inline void post(Packet *packet, unsigned step)
{
    const unsigned long long half[2] = {0, (unsigned long long)step << 32};
    asm volatile("{ .reg .b128 all; mov.b128 all, {%1, %2}; st.relaxed.gpu.global.b128 [%0], all; }"
                 :
                 : "l"(packet), "l"(half[0]), "l"(half[1])
                 : "memory");
}

static __device__ inline unsigned step_of(const Packet *packet)
{
    unsigned long long half;
    asm volatile("{ .reg .b128 all; ld.relaxed.gpu.global.b128 all, [%1]; mov.b128 {_, %0}, all; }"
                 : "=l"(half)
                 : "l"(packet)
                 : "memory");
    return (unsigned)(half >> 32);
}

static __global__ void __launch_bounds__(1024) grid_sync(int first, int last)
{
    for (int n = first; n < last; n++)
        cooperative_groups::this_grid().sync();
}

// One thread of each block counts it, and waits until all are counted.
static __global__ void __launch_bounds__(1024) counter_barrier(int first, int last)
{
    for (int n = first; n < last; n++) {
        Wait wait = {0, 0};
        __syncthreads();
        if (threadIdx.x == 0) {
            asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(word) : "memory");
            while (load_acquire(word) < (n + 1) * gridDim.x && !is_too_long(&wait))
                ;
        }
        __syncthreads();
    }
}

// Each block has a flag, the number of steps that it has made, for which both neighbours wait.
static __global__ void __launch_bounds__(1024) neighbour_flags(int first, int last)
{
    const unsigned distance = threadIdx.x == 0 ? 1 : gridDim.x - 1;
    unsigned *own = word + DISTANCE * blockIdx.x;
    const unsigned *other = word + DISTANCE * ((blockIdx.x + distance) % gridDim.x);
    for (int n = first; n < last; n++) {
        Wait wait = {0, 0};
        __syncthreads();
        if (threadIdx.x == 0)
            asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(own), "r"(n + 1) : "memory");
        if (threadIdx.x < 2)
            while (load_acquire(other) < n + 1 && !is_too_long(&wait))
                ;
        __syncthreads();
    }
}

// Each thread sends a packet to both neighbours, and a warp waits until it has all of theirs. Two mailboxes
// for each direction, in turn, are enough: who sends step n has received step n - 1, whose sender had
// received step n - 2.
static __global__ void __launch_bounds__(1024) packets(int first, int last)
{
    const int row = blockDim.x, all = gridDim.x * row, here = blockIdx.x * row + threadIdx.x;
    for (int n = first; n < last; n++) {
        Packet *up = mailbox[n % 2][0], *down = mailbox[n % 2][1];
        post(&up[(here + row) % all], n + 1);
        post(&down[(here + all - row) % all], n + 1);
        Wait wait = {0, 0};
        bool missing;
        do {
            const unsigned from_below = step_of(&up[here]), from_above = step_of(&down[here]);
            missing = from_below != n + 1 || from_above != n + 1;
        } while (__any_sync(~0u, missing) && !__any_sync(~0u, is_too_long(&wait)));
    }
}

static __global__ void __launch_bounds__(1024) syncthreads(int first, int last)
{
    for (int n = first; n < last; n++)
        __syncthreads();
}

// Each load needs the value of the one before, which is 0.
static __global__ void l2_load(int first, int last)
{
    unsigned value = 0;
    for (int n = first; n < last; n++)
        asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];"
                     : "=r"(value)
                     : "l"(word + value + DISTANCE * (n % MOST_BLOCKS))
                     : "memory");
    word[0] = value; // or the assembler drops the loads
}

#endif
