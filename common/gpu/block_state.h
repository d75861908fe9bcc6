/**
 * @file block_state.h
 * Inside the emulator: the blocks of a launch that run, and their threads.
 */
#pragma once

#include "gpu/blocks_on_cpu.h"

/** One thread. */
typedef struct {
    enum {
        RUNS,
        POLLING,
        WAITS,
        HELD,
        RETURNED
    } state;           /**< POLLING: it has polled in vain, and may run;
                          HELD: it waits for the launch before, or for the cluster */
    int fibre;         /**< the fibre that runs it; -1: it has not begun */
    const Barrier *at; /**< the place where it waits or polls... */
    uint32_t mask;     /**< ...and the lanes of its warp for which it waits; 0: for more than its warp */
    uint32_t brought;  /**< the value that it contributes to an exchange or a vote */
    int lane;          /**< the lane whose value it takes */
    uint32_t got;
    uint32_t votes; /**< the lanes that contributed a value other than 0 */
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
    BlockState *block;   /**< the block that runs now */
    int running;         /**< its thread that runs now */
    size_t shared_bytes; /**< dynamic shared memory of a block */
    int together;        /**< whether other blocks run meanwhile */
    int in_cluster;      /**< whether they are a cluster */
    int early;           /**< whether the launch before it still runs */
    int progress;        /**< whether any thread did more than poll in vain */
    BlockState *late;    /**< the block that comes late, from its interruption on */
    int interrupted;     /**< whether it has been interrupted */
    int undisturbed;     /**< if not: threads that begin before the one that will be... */
    int stores;          /**< ...and stores after which it will be */
    int dependent;       /**< threads that have waited for the launch before it */
    void (*body)(const void *);
    const void *arguments;
} Launch;

extern Launch launch;

/** The __shared__ variables of the running block: the linker knows their place. Null if there are none. */
extern char __start_shared_memory[] __attribute__((weak)), __stop_shared_memory[] __attribute__((weak));

/** Makes the threads of launch.block ready to run, and fills its shared memory with bytes 0xff. */
void start_threads(void);

/** Runs `most` threads of launch.block, each until it waits, polls in vain, or returns. Returns whether all
 * threads of the block have returned or are held. */
int run_threads(int most);

/** Lets the held threads of launch.block go on, and returns their number. */
int release_held(void);

/** Whether all threads of a block have returned. */
int has_returned(const BlockState *block);
