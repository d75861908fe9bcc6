/**
 * @file device.h
 * Properties of the GPU, or of its emulator, for C files: its name, limits, memory and copy bandwidth.
 */
#pragma once

#include "gpu/block.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whether the GPU stages run on the CPU, on the emulator. */
extern const int gpu_is_emulated;

/** "CUDA", also on the emulator, or "HIP". */
extern const char *const gpu_api;

/** The properties of the device. */
typedef struct {
    char name[128];
    int capability;  /**< compute capability, 10 major + minor */
    char bus[32];    /**< its address on the PCI bus; "": the emulator has none */
    int newest_cuda; /**< CUDA that its driver supports, 1000 major + 10 minor; 0: the emulator has none */
    int built_with;  /**< CUDA that the program was built with, likewise */
} Device;

/** Reads those of device n, modulo how many there are. Fails with exit code 3 if there is none. */
Device find_device(int n);

/** Uses device n, modulo how many there are, from now on. Fails with exit code 3 if there is none. */
void choose_device(int n);

/** Fails with exit code 2 if the device can't run such blocks on a grid of that size, with 3 without one. */
void check_block(int width, int height, Block block);

/** Bytes of device memory that can be allocated. */
size_t free_device_memory(void);

/** Bytes of an array that is copied to measure a bandwidth: `usual`, or as many MiB as LBM_COPY_MIB (for
 * tests) says, but at most a quarter of the available memory. */
size_t copy_size(size_t usual, size_t available);

/** GB/s, read and written together, of the fastest of several copies within the device's memory. */
double device_copy_bandwidth(void);

#ifdef __cplusplus
}
#endif
