/**
 * @file packet.h
 * Packets that blocks of one launch, resident together (LAUNCH_COOPERATIVE), send each other through memory:
 * the data arrive together with the number that announces them, and every wait for them ends.
 */
#pragma once

#include "gpu/gpu.h"

#include <stdint.h>

/** The size of a packet, and after how long a thread gives up waiting for it. */
#ifdef __HIP__
#define PACKET_BYTES 32
#define LONGEST_WAIT "2^26 polls"
#else
#define PACKET_BYTES 16
#define LONGEST_WAIT "10 s" // an exchange takes 0.5 to 1.2 us on an H200 (its table latency.csv)
#endif

/** Three populations and the number of their step: 16 bytes that one instruction stores, and that arrive
 * whole, so that no flag, fence or release is needed, as in NCCL's protocol LL. Compute capability 7.0, CUDA
 * 12.3. With HIP three words of 8 bytes, with one population and the step in each. */
typedef struct __align__(PACKET_BYTES)
{
    float a, b, c;
    uint32_t step;
}
Packet;

/** A wait of one thread. Begin with {timed_out}. */
typedef struct {
    int *timed_out; /**< in device memory, 0 at first; set to 1 when any thread gives up waiting */
    unsigned polls; /**< how often the thread has polled */
    uint64_t since; /**< when it began, in ns */
} Wait;

#if defined __CUDACC__ || defined __HIP__
#ifdef __HIP__
/** As that for CUDA. */
static __device__ __forceinline__ void store_packet(Packet *to, float a, float b, float c, uint32_t step)
{
    const float population[3] = {a, b, c};
    for (int n = 0; n < 3; n++)
        __hip_atomic_store((uint64_t *)to + n, (uint64_t)step << 32 | __float_as_uint(population[n]),
                           __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/** As that for CUDA: the packet has the oldest of the steps of its words. */
static __device__ __forceinline__ Packet load_packet(const Packet *from)
{
    float population[3];
    uint32_t step = 0;
    for (int n = 0; n < 3; n++) {
        const uint64_t word =
            __hip_atomic_load((const uint64_t *)from + n, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
        const uint32_t of_word = (uint32_t)(word >> 32);
        population[n] = __uint_as_float((uint32_t)word);
        step = n == 0 || (int32_t)(of_word - step) < 0 ? of_word : step;
    }
    const Packet packet = {population[0], population[1], population[2], step};
    return packet;
}
#else
/** In a kernel: stores a packet, for which another block polls. */
static __device__ __forceinline__ void store_packet(Packet *to, float a, float b, float c, uint32_t step)
{
    const uint64_t low = __float_as_uint(a) | (uint64_t)__float_as_uint(b) << 32,
                   high = __float_as_uint(c) | (uint64_t)step << 32;
#if __CUDA_ARCH__ >= 700
    // PTX ISA, memory consistency model: a relaxed access of .b128 is single-copy atomic.
    asm volatile(
        "{ .reg .b128 packet; mov.b128 packet, {%0, %1}; st.relaxed.gpu.global.b128 [%2], packet; }" ::"l"(
            low),
        "l"(high), "l"(to)
        : "memory");
#else
    (void)to, (void)low, (void)high;
    __trap();
#endif
}

/** In a kernel: the packet that is there now. It has arrived if it has the expected step. */
static __device__ __forceinline__ Packet load_packet(const Packet *from)
{
    uint64_t low = 0, high = 0;
#if __CUDA_ARCH__ >= 700
    asm volatile("{ .reg .b128 packet; ld.relaxed.gpu.global.b128 packet, [%2]; mov.b128 {%0, %1}, packet; }"
                 : "=l"(low), "=l"(high)
                 : "l"(from)
                 : "memory");
#else
    (void)from;
    __trap();
#endif
    const Packet packet = {__uint_as_float((uint32_t)low), __uint_as_float((uint32_t)(low >> 32)),
                           __uint_as_float((uint32_t)high), (uint32_t)(high >> 32)};
    return packet;
}
#endif

/** In a kernel: whether a thread that has polled in vain should poll again. It should not after
 * LONGEST_WAIT, or when another thread has given up: the kernel's results are then invalid, but it ends. */
static __device__ __forceinline__ int keep_waiting(Wait *wait)
{
    if (++wait->polls % 64 != 0)
        return 1;
#ifdef __HIP__ // HIP 5.2 does not tell the frequency of its clock
    if (wait->polls >= 1u << 26)
#else
    uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    if (wait->polls == 64)
        wait->since = now;
    if (now - wait->since > 10 * 1000000000ull)
#endif
        atomicExch(wait->timed_out, 1);
    return *(volatile int *)wait->timed_out == 0;
}
#else
/** The same on the emulator. */
static __forceinline__ void store_packet(Packet *to, float a, float b, float c, uint32_t step)
{
    const Packet packet = {a, b, c, step};
    *to = packet; // as a whole: a recorder sees one access
    preemption_point();
}

/** The same on the emulator. */
static __forceinline__ Packet load_packet(const Packet *from)
{
    Packet packet;
    load_polled(&packet, from, sizeof packet);
    return packet;
}

/** Lets other threads run; ends the program if none of them can go on. */
#define keep_waiting(wait) poll_again(BARRIER("keep_waiting"), &(wait)->polls)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Fails with exit code 3 if a thread has given up waiting; for the host, after a launch. */
void check_waits(const int *timed_out);

#ifdef __cplusplus
}
#endif
