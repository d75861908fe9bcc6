/**
 * @file counter.h
 * A counter in device memory by which resident blocks (LAUNCH_COOPERATIVE) agree: a thread that has seen an
 * arrival also sees all that the other thread wrote, or saw, before. To poll, use keep_waiting (packet.h).
 */
#pragma once

#include "gpu/gpu.h"

#ifdef __CUDACC__
/** In a kernel: adds 1 to a counter. Earlier writes of this thread become visible no later (release). */
static __device__ __forceinline__ void arrive(unsigned *counter)
{
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(counter) : "memory");
}

/** In a kernel: how many threads have arrived. Their earlier writes are visible from now on (acquire). */
static __device__ __forceinline__ unsigned load_arrivals(const unsigned *counter)
{
    unsigned arrivals;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(arrivals) : "l"(counter) : "memory");
    return arrivals;
}
#else
/** The same on the emulator. */
static inline void arrive(unsigned *counter)
{
    ++*counter;
    preemption_point();
}

/** The same on the emulator. */
static __forceinline__ unsigned load_arrivals(const unsigned *counter)
{
    unsigned arrivals;
    load_polled(&arrivals, counter, sizeof arrivals);
    return arrivals;
}
#endif
