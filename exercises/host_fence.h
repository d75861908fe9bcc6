/**
 * @file host_fence.h
 * Fences for main memory. A check that is linked with host_fence.c and the linker's --wrap can ask for them;
 * in other checks the function is missing, so that its address is NULL.
 */
#ifndef HOST_FENCE_H
#define HOST_FENCE_H

/** From here on what malloc, calloc and realloc return ends at a fence, or no longer does. */
void fence_main_memory(int fenced) __attribute__((weak));

#endif
