/**
 * @file device_memory.h
 * For tests of kernels: arrays of host memory there and back.
 */
#ifndef DEVICE_MEMORY_H
#define DEVICE_MEMORY_H

#include "gpu/gpu.h"

/** Device memory with a copy of `from`. */
static inline void *to_device(const void *from, size_t bytes)
{
    void *memory = NULL;
    CHECK(cudaMalloc(&memory, bytes));
    CHECK(cudaMemcpy(memory, from, bytes, cudaMemcpyHostToDevice));
    return memory;
}

/** Copies device memory to `to`, and frees it. */
static inline void from_device(void *to, void *memory, size_t bytes)
{
    CHECK(cudaMemcpy(to, memory, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(memory));
}

#endif
