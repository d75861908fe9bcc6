/**
 * @file fence.h
 * A check includes it before the student's file, whose device memory is then counted, and on the emulator
 * ends at a fence: a thread that reaches behind the end of an array ends the check, with a line that says how
 * far. (A build with sanitizers has a better fence, which names the line of the code.)
 */
#ifndef FENCE_H
#define FENCE_H

#include "fenced.h"
#include "gpu/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of device memory that the student's file has taken so far. */
extern size_t device_bytes;

#ifdef __cplusplus
}
#endif

#if defined(__CUDACC__) || defined(__SANITIZE_ADDRESS__)
/** Where device memory ends at a fence: hides it from the host, or lets threads see it. */
static inline void hide_device_memory(int hidden)
{
    (void)hidden;
}

static inline cudaError_t counted_malloc(void **memory, size_t bytes)
{
    device_bytes += bytes;
    return cudaMalloc(memory, bytes);
}
#else
static inline void hide_device_memory(int hidden)
{
    hide_fenced(hidden);
}

static inline cudaError_t counted_malloc(void **memory, size_t bytes)
{
    device_bytes += bytes;
    *memory = allocate_fenced(bytes, 1);
    return *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}

static inline cudaError_t free_counted(void *memory)
{
    free_fenced(memory);
    return cudaSuccess;
}
#define cudaFree free_counted
#endif
#define cudaMalloc counted_malloc

#endif
