/**
 * @file watched_copies.h
 * Asynchronous copies, prefetches and loads of links that are counted; the copies are made as late as they
 * may be, when their warp waits for them. A check includes it before the student's file, where a launch is
 * watched only between watch_copies() and unwatch_copies().
 */
#ifndef WATCHED_COPIES_H
#define WATCHED_COPIES_H

#include "gpu/lane.h"
#include "host/allocate.h"

#include <stdlib.h>
#include <string.h>

enum { WATCHED_THREADS = 128, PENDING_COPIES = 128 };

/** What a thread has done in a launch; without a GPU a thread is a warp. */
typedef struct {
    int pending;      /**< copies */
    int batches;      /**< of copies, ended by a commit */
    int last;         /**< 1 + the batch of the last copy */
    int rows;         /**< batches with copies */
    int waits;        /**< rows waited for */
    int ahead;        /**< rows requested before the first wait */
    int on_their_way; /**< rows that are pending behind a wait, summed over all waits */
    int surprises;    /**< words of links loaded without a prefetch `distance` batches earlier, 0 apart */
} Watched;

typedef struct {
    Watched *thread;       // [WATCHED_THREADS]; NULL while nothing is watched
    int *prefetched;       // [height][width]: after how many batches the links of a cell were prefetched last
    const unsigned *links; // [height][width]
    int distance;
} Watch;

typedef struct {
    AsyncPair *buffer;
    const float *memory;
    LaneInt index;
    int batch;
} PendingCopy;

static __device__ Watch watch;
static __device__ PendingCopy pending_copies[WATCHED_THREADS][PENDING_COPIES];

LANE_FUNCTION int own_thread(void)
{
    return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

LANE_FUNCTION Watched *own_watch(void)
{
    return watch.thread && own_thread() < WATCHED_THREADS ? watch.thread + own_thread() : NULL;
}

LANE_FUNCTION void watched_copy(AsyncPair *buffer, const float *memory, LaneInt index)
{
    Watched *own = own_watch();
    if (!own) {
        copy_async(buffer, memory, index);
        return;
    }
    const PendingCopy copy = {buffer, memory, index, own->batches};
    own->rows += own->last != own->batches + 1;
    own->last = own->batches + 1;
    if (own->pending < PENDING_COPIES)
        pending_copies[own_thread()][own->pending++] = copy;
}

LANE_FUNCTION void watched_commit(void)
{
    Watched *own = own_watch();
    if (own)
        own->batches++;
    else
        commit();
}

LANE_FUNCTION void watched_wait(int newest)
{
    Watched *own = own_watch();
    if (!own) {
        wait_prior(newest);
        return;
    }
    if (own->waits++ == 0)
        own->ahead = own->rows;
    PendingCopy *copies = pending_copies[own_thread()];
    int kept = 0;
    for (int n = 0; n < own->pending; n++)
        if (copies[n].batch < own->batches - newest)
            copy_async(copies[n].buffer, copies[n].memory, copies[n].index);
        else {
            own->on_their_way += kept == 0 || copies[kept - 1].batch != copies[n].batch;
            copies[kept++] = copies[n];
        }
    own->pending = kept;
    commit();
    wait_prior(0);
}

LANE_FUNCTION void watched_prefetch(const unsigned *memory, LaneInt index)
{
    const Watched *own = own_watch();
    const int *cell = (const int *)&index;
    for (size_t k = 0; own && k < sizeof index / sizeof *cell; k++)
        watch.prefetched[memory - watch.links + cell[k]] = own->batches;
    prefetch_l2(memory, index);
}

LANE_FUNCTION LaneInt watched_load(const unsigned *memory, LaneInt index)
{
    Watched *own = own_watch();
    const int *cell = (const int *)&index;
    for (size_t k = 0; own && k < sizeof index / sizeof *cell; k++) {
        const int batch = watch.prefetched[memory - watch.links + cell[k]];
        own->surprises += memory[cell[k]] != 0 && (batch == 0 || own->batches - batch < watch.distance);
    }
    return load_words(memory, index);
}

static __global__ void set_watch(Watch now)
{
    watch = now;
}

static inline void launch_set_watch(Watch now)
{
    const dim3 one = {1, 1, 1};
    LAUNCH(set_watch, one, one, now);
    CHECK(cudaDeviceSynchronize());
}

/** Begins to watch the launches of a grid of so many cells: each thread is to make one sweep. */
static inline Watch watch_copies(const unsigned *links, size_t cells, int distance)
{
    Watch now = {NULL, NULL, links, distance};
    CHECK(cudaMalloc((void **)&now.thread, WATCHED_THREADS * sizeof(Watched)));
    CHECK(cudaMalloc((void **)&now.prefetched, cells * sizeof(int)));
    CHECK(cudaMemset(now.thread, 0, WATCHED_THREADS * sizeof(Watched)));
    CHECK(cudaMemset(now.prefetched, 0, cells * sizeof(int)));
    launch_set_watch(now);
    return now;
}

/** Ends that: copies what was seen to thread[WATCHED_THREADS] and prefetched[cells]. */
static inline void unwatch_copies(Watch now, Watched *thread, int *prefetched, size_t cells)
{
    const Watch nothing = {NULL, NULL, NULL, 0};
    launch_set_watch(nothing);
    CHECK(cudaMemcpy(thread, now.thread, WATCHED_THREADS * sizeof(Watched), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(prefetched, now.prefetched, cells * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(now.thread));
    CHECK(cudaFree(now.prefetched));
}

#define copy_async(buffer, memory, index) watched_copy(buffer, memory, index)
#define commit()                          watched_commit()
#define wait_prior(newest)                watched_wait(newest)
#define prefetch_l2(memory, index)        watched_prefetch(memory, index)
#define load_words(memory, index)         watched_load(memory, index)

#endif
