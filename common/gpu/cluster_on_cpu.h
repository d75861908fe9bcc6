/**
 * @file cluster_on_cpu.h
 * CUDA without a GPU: clusters of blocks, for cluster.h. A number that is stored into the shared memory of
 * another block is there at once.
 */
#ifndef CLUSTER_ON_CPU_H
#define CLUSTER_ON_CPU_H

#include "gpu/blocks_on_cpu.h"

#define LAUNCH_CLUSTER(kernel, grid, block, shared_bytes, ...)                                               \
    CHECK((launch_name = #kernel, launch_cluster(grid, block, shared_bytes, kernel##_thread,                 \
                                                 &(const struct kernel##_arguments){__VA_ARGS__})))

/** As launch_together, of up to 16 blocks along x. */
cudaError_t launch_cluster(dim3 grid, dim3 block, size_t shared_bytes, void (*thread)(const void *),
                           const void *arguments);

/** A barrier in shared memory; a phase of it ends when as many bytes have come as are expected. */
typedef struct {
    int32_t missing;    /**< bytes: expected and not come, less those that came before they were expected */
    uint16_t expecting; /**< whether it was said how many bytes to expect */
    uint16_t phase;
} Mbarrier;

/** An address in the shared memory of any block of the cluster. */
typedef char *ClusterAddress;

/** Where what lies at an address in this block's shared memory lies in that of another block. */
ClusterAddress map_shared(const void *own, int block);

/** Waits for all threads of the cluster. */
#define cluster_sync() wait_for_cluster(BARRIER("cluster_sync"))

/** What cluster_sync calls. */
void wait_for_cluster(const Barrier *barrier);

/** In one thread, before a cluster_sync: makes a barrier, whose phase 0 begins. */
static inline void init_mbarrier(Mbarrier *barrier)
{
    *barrier = (Mbarrier){0, 0, 0};
}

/** Ends the phase if all has come. */
static inline void end_phase(Mbarrier *barrier)
{
    if (barrier->expecting && barrier->missing == 0) {
        barrier->expecting = 0;
        barrier->phase++;
    }
}

/** In one thread, once in each phase: this phase ends when so many bytes have come. */
static inline void expect_bytes(Mbarrier *barrier, unsigned bytes)
{
    barrier->missing += (int32_t)bytes;
    barrier->expecting = 1;
    end_phase(barrier);
}

/** Whether the phase of this parity has ended. */
static inline int phase_ended(const Mbarrier *barrier, int parity)
{
    return barrier->phase % 2 != parity;
}

/** Stores a number into another block's shared memory, and its 4 bytes on that block's barrier. Fails with
 * exit code 3 if that block has returned. */
#define store_async(to, value, barrier) store_in_block(BARRIER("store_async"), to, value, barrier)

/** What store_async calls. */
void store_in_block(const Barrier *place, ClusterAddress to, float value, ClusterAddress barrier);

#endif
