/**
 * @file cluster.h
 * Thread-block clusters (compute capability 9.0): blocks that store into each other's shared memory, and
 * count the arrived bytes by a barrier in shared memory, an mbarrier.
 */
#pragma once

#include "gpu/gpu.h"

#include <stdint.h>

/** The most blocks of a cluster that a device may have; more than 8 are not portable. */
enum { MOST_CLUSTER_BLOCKS = 16 };

#ifdef __CUDACC__
/** As LAUNCH_COOPERATIVE, of one cluster: its blocks lie along x. */
#define LAUNCH_CLUSTER(kernel, grid, block, shared_bytes, ...)                                               \
    do {                                                                                                     \
        CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));              \
        LAUNCH_WITH(cluster_launch((grid).x), 0, kernel, grid, block, shared_bytes, __VA_ARGS__);            \
    } while (0)

/** The attribute of LAUNCH_CLUSTER. */
cudaLaunchAttribute cluster_launch(unsigned blocks);

/** A barrier in shared memory; a phase of it ends when all expected bytes have arrived. */
typedef uint64_t Mbarrier;

/** An address in the shared memory of any block of the cluster, in bytes. */
typedef uint32_t ClusterAddress;

/** In a kernel: the address in another block's shared memory that corresponds to an address in this one's. */
static __device__ __forceinline__ ClusterAddress map_shared(const void *own, int block)
{
    ClusterAddress address = 0;
#if __CUDA_ARCH__ >= 900
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(address)
        : "r"((uint32_t)__cvta_generic_to_shared(own)), "r"(block));
#endif
    return address;
}

/** In a kernel: waits for all threads of the cluster; their stores are then visible to all. */
static __device__ __forceinline__ void cluster_sync(void)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
#endif
}

/** In one thread, before a cluster_sync: initialises a barrier, whose phase 0 begins. */
static __device__ __forceinline__ void init_mbarrier(Mbarrier *barrier)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(
                     (uint32_t)__cvta_generic_to_shared(barrier))
                 : "memory");
#endif
}

/** In one thread, once in each phase: this phase ends when so many bytes have arrived. */
static __device__ __forceinline__ void expect_bytes(Mbarrier *barrier, unsigned bytes)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(
                     (uint32_t)__cvta_generic_to_shared(barrier)),
                 "r"(bytes)
                 : "memory");
#endif
}

/** In a kernel: whether the phase of this parity has ended; its stores are then visible. */
static __device__ __forceinline__ int phase_ended(const Mbarrier *barrier, int parity)
{
    uint32_t ended = 1;
#if __CUDA_ARCH__ >= 900
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; "
                 "selp.u32 %0, 1, 0, p; }"
                 : "=r"(ended)
                 : "r"((uint32_t)__cvta_generic_to_shared(barrier)), "r"(parity)
                 : "memory");
#endif
    return ended;
}

/** In a kernel: stores a number into another block's shared memory; its barrier counts the 4 bytes. */
static __device__ __forceinline__ void store_async(ClusterAddress to, float value, ClusterAddress barrier)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(to),
                 "r"(__float_as_uint(value)), "r"(barrier)
                 : "memory");
#endif
}
#else
#include "gpu/cluster_on_cpu.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The most blocks that a cluster of this kernel can have on this device: 16, 8, or 0 if the device has no
 * clusters, or the build no code for them. */
#define GPU_CLUSTER_BLOCKS(kernel) gpu_cluster_blocks((const void *)kernel)

/** Called by GPU_CLUSTER_BLOCKS. */
int gpu_cluster_blocks(const void *kernel);

/** The most threads of each: 1024; on the emulator 256, as their stacks leave its caches. */
int gpu_cluster_threads(void);

#ifdef __cplusplus
}
#endif
