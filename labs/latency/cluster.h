/**
 * @file cluster.h
 * As resident.h, for blocks that are one cluster. Compiled for less than compute capability 9.0 they do
 * nothing.
 */
#ifndef CLUSTER_H
#define CLUSTER_H

#include "waits.h"

#include <cooperative_groups.h>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define HAS_CLUSTERS
#endif

enum { MOST_CLUSTER_THREADS = 256 }; // of a block

static __global__ void cluster_barrier(int first, int last)
{
#ifdef HAS_CLUSTERS
    for (int n = first; n < last; n++)
        cooperative_groups::this_cluster().sync();
#endif
}

#ifdef HAS_CLUSTERS
static __device__ inline unsigned shared_address(const void *pointer)
{
    return (unsigned)__cvta_generic_to_shared(pointer);
}

// The same address in the shared memory of another block of the cluster.
static __device__ inline unsigned in_block(unsigned block, unsigned address)
{
    unsigned there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(block));
    return there;
}

// Stores 16 bytes in another block, whose barrier counts them when they have arrived.
static __device__ inline void store_async(unsigned block, unsigned address, unsigned barrier, unsigned value)
{
    asm volatile(
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %1, %1, %1}, [%2];" ::"r"(
            in_block(block, address)),
        "r"(value), "r"(in_block(block, barrier))
        : "memory");
}

static __device__ inline bool is_complete(unsigned barrier, unsigned parity)
{
    unsigned complete;
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; "
                 "selp.u32 %0, 1, 0, p; }"
                 : "=r"(complete)
                 : "r"(barrier), "r"(parity)
                 : "memory");
    return complete;
}
#endif

// Each thread stores 16 bytes in both neighbours, and waits until all those for its block are there. Two
// barriers take turns, as the mailboxes of `packets` do.
static __global__ void __launch_bounds__(MOST_CLUSTER_THREADS) async_store(int first, int last)
{
#ifdef HAS_CLUSTERS
    __shared__ Packet inbox[2][2][MOST_CLUSTER_THREADS];
    __shared__ unsigned long long barriers[2];
    const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    const unsigned blocks = cluster.num_blocks(), own = cluster.block_rank(), x = threadIdx.x;
    if (x < 2) // one thread will arrive
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(&barriers[x])) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    cluster.sync(); // all blocks run, and their barriers are there
    bool failed = false;
    for (int n = 0; n < last - first && !failed; n++) {
        const unsigned barrier = shared_address(&barriers[n % 2]);
        Wait wait = {0, 0};
        if (x == 0)
            asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier),
                         "r"(2 * blockDim.x * (unsigned)sizeof(Packet))
                         : "memory");
        store_async((own + 1) % blocks, shared_address(&inbox[n % 2][0][x]), barrier, n + 1);
        store_async((own + blocks - 1) % blocks, shared_address(&inbox[n % 2][1][x]), barrier, n + 1);
        while (!failed && !is_complete(barrier, n / 2 % 2))
            failed = is_too_long(&wait);
    }
    cluster.sync(); // no block ends while another one stores in its shared memory
#endif
}

#endif
