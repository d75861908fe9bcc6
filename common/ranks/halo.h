/**
 * @file halo.h
 * The halo exchange of a slab, as stage 21 teaches it, for the stages after it: messages of MPI to the ranks
 * above and below, while the cells that do not need them are computed in a stream of their own.
 */
#ifndef HALO_H
#define HALO_H

#include "gpu/gpu.h"
#include "host/fail.h"
#include "ranks/plain_mpi.h"
#include "ranks/ranks.h"

#include <limits.h>

/** The messages of a rank, and the streams in which it computes its slab. */
typedef struct {
    size_t count;           /**< floats of a message */
    float *buffer;          /**< [4][count], on the device: sent up, sent down; from below, from above */
    float *staging;         /**< the same for MPI: `buffer` itself, or pinned memory of the host */
    cudaStream_t outer;     /**< for the cells at the border and the copies of messages */
    cudaStream_t inner;     /**< for the cells between the borders */
    cudaEvent_t outer_done; /**< the end of work in `outer` */
    cudaEvent_t inner_done; /**< the end of work in `inner` */
} Halo;

/** Bytes of device memory for the messages of `count` floats each. */
static inline size_t halo_bytes(size_t count)
{
    return 4 * count * sizeof(float);
}

/**
 * Allocates the buffers for messages of `count` floats, and creates streams that do not wait for each other:
 * if blocks of both could start, those of `outer` start first. Ends the program with EXIT_USAGE if a message
 * is larger than MPI can count.
 */
static inline void create_halo(Halo *halo, size_t count)
{
    if (rank_count() > 1 && count > INT_MAX)
        fail(EXIT_USAGE, "a message of %zu numbers is too large; it takes up to %d", count, INT_MAX);
    halo->count = count;
    CHECK(cudaMalloc((void **)&halo->buffer, halo_bytes(count)));
    halo->staging = halo->buffer;
    if (!mpi_takes_device_memory())
        CHECK(cudaMallocHost((void **)&halo->staging, halo_bytes(count)));
    CHECK(cudaStreamCreateWithPriority(&halo->outer, cudaStreamDefault, -1));
    CHECK(cudaStreamCreateWithFlags(&halo->inner, cudaStreamDefault));
    CHECK(cudaEventCreateWithFlags(&halo->outer_done, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&halo->inner_done, cudaEventDisableTiming));
}

/** Frees what create_halo has taken. */
static inline void destroy_halo(Halo *halo)
{
    CHECK(cudaStreamDestroy(halo->outer));
    CHECK(cudaStreamDestroy(halo->inner));
    CHECK(cudaEventDestroy(halo->outer_done));
    CHECK(cudaEventDestroy(halo->inner_done));
    if (halo->staging != halo->buffer)
        CHECK(cudaFreeHost(halo->staging));
    CHECK(cudaFree(halo->buffer));
}

/**
 * Sends the outgoing numbers, once the work queued in `outer` is done, and returns the incoming ones,
 * [2][count] in device memory, for later work in `outer`: from below, then from above. The ranks are a ring;
 * a single one gets its own outgoing numbers, as its grid is periodic. To be called on all ranks.
 */
static inline const float *exchange_halo(const Halo *halo)
{
    enum { UP, DOWN }; // tags of messages
    const int ranks = rank_count(), above = (this_rank() + 1) % ranks,
              below = (this_rank() + ranks - 1) % ranks, count = (int)halo->count;
    const size_t both = 2 * halo->count, bytes = both * sizeof(float);
    float *incoming = halo->buffer + both, *out = halo->staging, *in = out + both;
    if (ranks == 1)
        return halo->buffer;
    if (out != halo->buffer)
        CHECK(cudaMemcpyAsync(out, halo->buffer, bytes, cudaMemcpyDeviceToHost, halo->outer));
    CHECK(cudaStreamSynchronize(halo->outer));
    MPI_Request requests[4];
    MPI_Irecv(in, count, MPI_FLOAT, below, UP, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in + count, count, MPI_FLOAT, above, DOWN, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(out, count, MPI_FLOAT, above, UP, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(out + count, count, MPI_FLOAT, below, DOWN, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    if (in != incoming)
        CHECK(cudaMemcpyAsync(incoming, in, bytes, cudaMemcpyHostToDevice, halo->outer));
    return incoming;
}

/** Makes a stream wait for the work queued in another one so far, whose end `event` records. */
static inline void wait_for(cudaStream_t stream, cudaStream_t other, cudaEvent_t event)
{
    CHECK(cudaEventRecord(event, other));
    CHECK(cudaStreamWaitEvent(stream, event, 0));
}

/** Makes each of the two streams wait for the work queued in the other one so far. */
static inline void join_streams(const Halo *halo)
{
    CHECK(cudaEventRecord(halo->outer_done, halo->outer));
    CHECK(cudaEventRecord(halo->inner_done, halo->inner));
    CHECK(cudaStreamWaitEvent(halo->outer, halo->inner_done, 0));
    CHECK(cudaStreamWaitEvent(halo->inner, halo->outer_done, 0));
}

#endif
