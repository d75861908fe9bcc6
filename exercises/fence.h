/**
 * @file fence.h
 * A check includes it before the student's file, whose device memory is then counted, and on the stand-in
 * ends at a fence: a thread that reaches behind the end of an array ends the check, with a line that says how
 * far. (A build with sanitizers has a better fence, which names the line of the code.)
 */
#ifndef FENCE_H
#define FENCE_H

#include "gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of device memory that the student's file has taken so far. */
extern size_t device_bytes;

/** Memory that ends at a fence, or NULL; filled with bytes 0xff. */
void *allocate_fenced(size_t bytes);

/** Frees it; NULL is fine. */
void free_fenced(void *memory);

#ifdef __cplusplus
}
#endif

#if defined(__CUDACC__) || defined(__SANITIZE_ADDRESS__)
static inline cudaError_t counted_malloc(void **memory, size_t bytes)
{
    device_bytes += bytes;
    return cudaMalloc(memory, bytes);
}
#else
static inline cudaError_t counted_malloc(void **memory, size_t bytes)
{
    device_bytes += bytes;
    *memory = allocate_fenced(bytes);
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
