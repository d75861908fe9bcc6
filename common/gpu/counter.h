/**
 * @file counter.h
 * A counter in device memory by which resident blocks (LAUNCH_COOPERATIVE) agree: a thread that has seen an
 * arrival also sees all that the other thread wrote, or saw, before. To poll, use keep_waiting (packet.h).
 */
#pragma once

#include "gpu/gpu.h"

#if defined __CUDACC__ || defined __HIP__
/** In a kernel: adds 1 to a counter. Earlier writes of this thread become visible no later (release). */
static __device__ __forceinline__ void arrive(unsigned *counter)
{
#ifdef __HIP__
    __hip_atomic_fetch_add(counter, 1u, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
#else
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(counter) : "memory");
#endif
}

/** In a kernel: how many threads have arrived. Their earlier writes are visible from now on (acquire). */
static __device__ __forceinline__ unsigned load_arrivals(const unsigned *counter)
{
#ifdef __HIP__
    return __hip_atomic_load(counter, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
#else
    unsigned arrivals;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(arrivals) : "l"(counter) : "memory");
    return arrivals;
#endif
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
