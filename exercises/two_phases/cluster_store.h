/**
 * @file cluster_store.h
 * An ordinary store into the shared memory of another block of the cluster. That block sees it behind a
 * cluster_sync of both.
 */
#ifndef CLUSTER_STORE_H
#define CLUSTER_STORE_H

#include "gpu/cluster.h"

#ifdef __CUDACC__
/** In a kernel: stores a number into another block's shared memory. */
static __device__ __forceinline__ void store_cluster(ClusterAddress to, float value)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(to), "f"(value) : "memory");
#endif
}
#else
/** In a kernel: stores a number into another block's shared memory. */
static inline void store_cluster(ClusterAddress to, float value)
{
    memcpy(to, &value, sizeof value);
}
#endif

#endif
