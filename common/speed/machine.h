/**
 * @file machine.h
 * The machine that measurements are taken on: what it is called, and how fast its CPU copies memory.
 */
#pragma once

/** Room for a name. */
enum { MACHINE_NAME_SIZE = 128 };

/** Names for people; "unknown" where the system tells none. */
typedef struct {
    char device[MACHINE_NAME_SIZE];  /**< the GPU, or the emulator */
    char driver[MACHINE_NAME_SIZE];  /**< version of its driver, and newest CUDA that it supports */
    char runtime[MACHINE_NAME_SIZE]; /**< CUDA that the program was built with */
    char host[MACHINE_NAME_SIZE];    /**< the CPU */
} Machine;

/** Looks the names up. Fails with exit code 3 if `gpu` is set and there is no device. */
Machine find_machine(int gpu);

/** How fast the CPU copies main memory: GB/s, read and written together, of the fastest of several copies. */
typedef struct {
    double between;   /**< one thread, from one array to another; that what is written is read first is not
                         counted */
    double in_place;  /**< one thread, each number read and written where it is */
    double all_cores; /**< the same by all threads that OpenMP takes; without it, that of one */
    int threads;      /**< of all_cores */
} HostCopy;

/** Measures that, which takes about a second. */
HostCopy measure_host_copy(void);
