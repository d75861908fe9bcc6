#include "gpu/memory.h"

#include "gpu/gpu.h"
#include "host/allocate.h"

#include <stdlib.h>
#include <string.h>

static void *allocate_there(size_t bytes)
{
    void *memory;
    const size_t least = bytes > 0 ? bytes : 1;
    gpu_need(least);
    CHECK(cudaMalloc(&memory, least));
    return memory;
}

static void release_there(void *memory)
{
    if (memory)
        CHECK(cudaFree(memory));
}

static void clear_there(void *memory, size_t bytes)
{
    CHECK(cudaMemset(memory, 0, bytes));
}

static void upload(void *to, const void *from, size_t bytes)
{
    CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}

/** Pinned memory, which the device copies to many times as fast as to pages that may move. */
typedef struct {
    void *memory;
    cudaEvent_t done; // with the copy to it
} Pinned;

enum { PIECE = 2 << 20 }; // bytes: larger ones take long to pin

static Pinned *pinned(int n)
{
    static Pinned two[2];
    if (!two[n].memory) {
        CHECK(cudaMallocHost(&two[n].memory, PIECE));
        CHECK(cudaEventCreateWithFlags(&two[n].done, cudaEventDisableTiming));
    }
    return &two[n];
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/** While one piece is copied out of pinned memory, the next one comes. */
static void fetch(void *to, const void *from, size_t bytes)
{
    const size_t pieces = (bytes + PIECE - 1) / PIECE;
    for (size_t n = 0; n <= pieces; n++) {
        if (n < pieces) {
            Pinned *const coming = pinned(n % 2);
            CHECK(cudaMemcpyAsync(coming->memory, (const char *)from + n * PIECE,
                                  smaller(PIECE, bytes - n * PIECE), cudaMemcpyDeviceToHost, 0));
            CHECK(cudaEventRecord(coming->done, 0));
        }
        if (n > 0) {
            Pinned *const here = pinned((n - 1) % 2);
            CHECK(cudaEventSynchronize(here->done));
            memcpy((char *)to + (n - 1) * PIECE, here->memory, smaller(PIECE, bytes - (n - 1) * PIECE));
        }
    }
}

static void wait(void)
{
    CHECK(cudaDeviceSynchronize());
}

#ifndef __HIP_DEVICE_COMPILE__ // a table of constants would go to the device, too, without its functions
const Memory device_memory = {allocate_there, release_there, clear_there, upload, fetch, wait};
#endif
