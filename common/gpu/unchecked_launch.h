/**
 * @file unchecked_launch.h
 * Launches that, like CUDA's own <<< >>>, are not checked for errors; for the chapter and the exercises on
 * faults. A kernel that the device refuses does not run, and only cudaGetLastError reports it. All others
 * take LAUNCH and LAUNCH_BLOCKS of gpu.h.
 */
#pragma once

#include "gpu/gpu.h"

#ifdef __CUDACC__
#define UNCHECKED_LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
#define UNCHECKED_LAUNCH_BLOCKS(kernel, grid, block, shared_bytes, ...)                                      \
    kernel<<<grid, block, shared_bytes>>>(__VA_ARGS__)
#else
#define UNCHECKED_LAUNCH(kernel, grid, block, ...)                                                           \
    for (launch_begin(grid, block); launch_next();)                                                          \
        for (; threadIdx.x < launch_end; threadIdx.x++)                                                      \
    kernel(__VA_ARGS__)
#define UNCHECKED_LAUNCH_BLOCKS(kernel, grid, block, shared_bytes, ...)                                      \
    ((void)launch_blocks(grid, block, shared_bytes, kernel##_thread,                                         \
                         &(const struct kernel##_arguments){__VA_ARGS__}))
#endif
