/**
 * @file machine.h
 * The machine that measurements are taken on: what it is called, and how fast its CPU copies memory.
 */
#ifndef MACHINE_H
#define MACHINE_H

/** Room for a name. */
enum { MACHINE_NAME_SIZE = 128 };

/** Names for people; "unknown" where the system tells none. */
typedef struct {
    char device[MACHINE_NAME_SIZE];  /**< the GPU, or the stand-in */
    char driver[MACHINE_NAME_SIZE];  /**< version of its driver, and newest CUDA that it supports */
    char runtime[MACHINE_NAME_SIZE]; /**< CUDA that the program was built with */
    char host[MACHINE_NAME_SIZE];    /**< the CPU */
} Machine;

/** Looks the names up. Fails with exit code 3 if `gpu` is set and there is no device. */
Machine find_machine(int gpu);

/** GB/s, read and written together, of the fastest of several copies by one CPU thread in main memory. */
double host_copy_bandwidth(void);

#endif
