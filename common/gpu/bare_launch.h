/**
 * @file bare_launch.h
 * Launches that nobody asks whether they began, as CUDA's own <<< >>> are; for what is said and done about
 * faults. A kernel that the device refuses does not run, and only cudaGetLastError tells. All others take
 * LAUNCH and LAUNCH_BLOCKS of gpu.h.
 */
#ifndef BARE_LAUNCH_H
#define BARE_LAUNCH_H

#include "gpu.h"

#ifdef __CUDACC__
#define BARE_LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
#define BARE_LAUNCH_BLOCKS(kernel, grid, block, shared_bytes, ...)                                           \
    kernel<<<grid, block, shared_bytes>>>(__VA_ARGS__)
#else
#define BARE_LAUNCH(kernel, grid, block, ...)                                                                \
    for (launch_begin(grid, block); launch_next();)                                                          \
        for (; threadIdx.x < launch_end; threadIdx.x++)                                                      \
    kernel(__VA_ARGS__)
#define BARE_LAUNCH_BLOCKS(kernel, grid, block, shared_bytes, ...)                                           \
    ((void)launch_blocks(grid, block, shared_bytes, kernel##_thread,                                         \
                         &(const struct kernel##_arguments){__VA_ARGS__}))
#endif

#endif
