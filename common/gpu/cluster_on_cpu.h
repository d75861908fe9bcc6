/**
 * @file cluster_on_cpu.h
 * CUDA without a GPU: clusters of blocks, what cluster.h describes. A number that is stored into the shared memory of
 * another block is there at once.
 */
#pragma once

#include "gpu/accesses.h"
#include "gpu/blocks_on_cpu.h"

#define LAUNCH_CLUSTER(kernel, grid, block, shared_bytes, ...)                                               \
    CHECK((launch_name = #kernel, launch_cluster(grid, block, shared_bytes, kernel##_thread,                 \
                                                 &(const struct kernel##_arguments){__VA_ARGS__})))

/** As launch_together, of up to 16 blocks along x. */
cudaError_t launch_cluster(dim3 grid, dim3 block, size_t shared_bytes, void (*thread)(const void *),
                           const void *arguments);

typedef struct {
    int32_t missing;    /**< bytes expected and not arrived, minus bytes arrived before the number was set */
    uint16_t expecting; /**< whether the number of bytes to expect is known */
    uint16_t phase;
} Mbarrier;

typedef char *ClusterAddress;

ClusterAddress map_shared(const void *own, int block);

#define cluster_sync() wait_for_cluster(BARRIER("cluster_sync"))

void wait_for_cluster(const Barrier *barrier);

static inline NOT_RECORDED void init_mbarrier(Mbarrier *barrier)
{
    *barrier = (Mbarrier){0, 0, 0};
}

/** Ends the phase if all bytes have arrived. */
static inline NOT_RECORDED void end_phase(Mbarrier *barrier)
{
    if (barrier->expecting && barrier->missing == 0) {
        barrier->expecting = 0;
        barrier->phase++;
    }
}

static inline NOT_RECORDED void expect_bytes(Mbarrier *barrier, unsigned bytes)
{
    barrier->missing += (int32_t)bytes;
    barrier->expecting = 1;
    end_phase(barrier);
}

static inline NOT_RECORDED int phase_ended(const Mbarrier *barrier, int parity)
{
    return barrier->phase % 2 != parity;
}

/** Stores a number into another block's shared memory; that block's barrier counts its 4 bytes. Fails with
 * exit code 3 if that block has returned. */
#define store_async(to, value, barrier) store_in_block(BARRIER("store_async"), to, value, barrier)

/** Called by store_async. */
void store_in_block(const Barrier *place, ClusterAddress to, float value, ClusterAddress barrier);
