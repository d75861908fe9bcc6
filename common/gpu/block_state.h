/**
 * @file block_state.h
 * Inside the emulator: the blocks of a launch that run, and their threads.
 */
#ifndef BLOCK_STATE_H
#define BLOCK_STATE_H

#include "gpu/blocks_on_cpu.h"

/** One thread. */
typedef struct {
    enum {
        RUNS,
        LOOKS,
        WAITS,
        HELD,
        RETURNED
    } state;           /**< LOOKS: it has looked in vain, and may run;
                          HELD: it waits for the launch before, or for the cluster */
    int fibre;         /**< that runs it; -1: it has not begun */
    const Barrier *at; /**< where it waits or looks... */
    uint32_t mask;     /**< ...and for which lanes of its warp it waits; 0: for more than its warp */
    uint32_t brought;  /**< what it gives to an exchange, or to a vote */
    int lane;          /**< whose it takes */
    uint32_t got;
    uint32_t votes; /**< the lanes that brought anything but 0 */
} Thread;

/** A block of which a thread has begun to run. */
typedef struct {
    size_t number;
    Thread *threads; /**< [launch.count] */
    int in_exchange; /**< threads that wait for others of their warp */
    char *shared;    /**< its dynamic shared memory, of launch.shared_bytes */
} BlockState;

/** The launch that runs now. */
typedef struct {
    int count;           /**< threads of a block; 0: no launch runs */
    BlockState *block;   /**< that runs now */
    int running;         /**< its thread that runs now */
    size_t shared_bytes; /**< dynamic shared memory of a block */
    int together;        /**< whether other blocks run meanwhile */
    int in_cluster;      /**< whether they are a cluster */
    int early;           /**< whether the launch before it still runs */
    int progress;        /**< whether any thread did more than look in vain */
    int dependent;       /**< threads that have waited for the launch before it */
    void (*body)(const void *);
    const void *arguments;
} Launch;

extern Launch launch;

/** What the block that runs has declared __shared__: the linker knows where it is. Null if nothing is. */
extern char __start_shared_memory[] __attribute__((weak)), __stop_shared_memory[] __attribute__((weak));

/** Makes the threads of launch.block ready to run, and fills its shared memory with bytes 0xff. */
void start_threads(void);

/** Runs `most` threads of launch.block, each until it waits, looks in vain, or returns; whether all threads
 * of the block have returned, or are held. */
int run_threads(int most);

/** Lets those threads of launch.block go on that are held; how many there are. */
int release_held(void);

/** Whether all threads of a block have returned. */
int has_returned(const BlockState *block);

#endif
