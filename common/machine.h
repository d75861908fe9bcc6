/**
 * @file machine.h
 * The machine that measurements are taken on: what it is called and how fast it copies memory.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include "stage.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Room for a name. */
enum { MACHINE_NAME_SIZE = 128 };

/** Names for people; "unknown" where the system tells none. */
typedef struct {
    char device[MACHINE_NAME_SIZE];  /**< the GPU, or the stand-in */
    char driver[MACHINE_NAME_SIZE];  /**< version of its driver, and newest CUDA that it supports */
    char runtime[MACHINE_NAME_SIZE]; /**< CUDA that the program was built with */
    char host[MACHINE_NAME_SIZE];    /**< the CPU */
} Machine;

/** Whether the GPU stages run on the CPU, on the stand-in. */
extern const int gpu_is_stand_in;

/** Looks the names up. Fails with exit code 3 if `gpu` is set and there is no device. */
Machine find_machine(int gpu);

/** Fails with exit code 2 if the device can't run such blocks on a grid of that size, with 3 without one. */
void check_block(int width, int height, Block block);

/** Bytes of device memory that can be taken. */
size_t free_device_memory(void);

/**
 * GB/s, read and written together, of the fastest of several copies within the device's memory, of arrays far
 * larger than its cache.
 */
double device_copy_bandwidth(void);

/** The same of one CPU thread and main memory. */
double host_copy_bandwidth(void);

#ifdef __cplusplus
}
#endif

#endif
