/**
 * @file l2.h
 * The bytes that DRAM moves where an L2 cache keeps sectors: a model of the caches of an H200 and an H100
 * (labs/l2). The cache has two halves. A sector lies in the half of its part of DRAM, and also in the other
 * half if a multiprocessor there accesses it. Each half drops the least recently used sector. A stored sector
 * is written to DRAM when its half drops it, or earlier, the longest stored first, if too many sectors wait.
 *
 * Two such caches are simulated: one KEEPS its sectors from launch to launch, as a GPU does; the other one is
 * EMPTY at the beginning of each launch, as under a profiler.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** Bytes between a kernel and DRAM. */
typedef struct {
    uint64_t read, written;
} Bytes;

/** Bytes of DRAM with an L2 that holds everything until the launch ends, and with the simulated ones. */
enum { LEAST, KEPT, EMPTY, KINDS_OF_L2 };

/** Simulates caches of that size from now on; 0: none. */
void simulate_l2(size_t bytes);

/** Whether there are simulated caches. */
int is_l2_simulated(void);

/** A launch begins, in a memory of so many sectors. Fails with exit code 3 if that takes too much memory. */
void begin_l2(size_t sectors);

/** A block loads or stores a sector. Blocks are distributed over the halves as if at random. */
void access_l2(size_t sector, int is_store, int block);

/** A launch ends: adds what DRAM has moved since it began, in KEPT and EMPTY. */
void end_l2(Bytes moved[KINDS_OF_L2]);
