/**
 * @file recorder.h
 * Memory transactions of kernels that run on the emulator. A solver compiled with -fsanitize=thread calls a
 * function before each load and store; here these functions are those of the recorder. Accesses of a warp's
 * threads at one instruction are one *request*; a thread that comes to an instruction for the n-th time
 * belongs to the n-th request of its warp there.
 */
#pragma once

#include "gpu/accesses.h"
#include "traffic/l2.h"
#include "traffic/transactions.h"

/** Sums over requests. */
typedef struct {
    uint64_t requests;
    uint64_t
        sectors;    /**< in shared memory: wavefronts, of which a request takes one without bank conflicts */
    uint64_t bytes; /**< distinct ones that were asked for */
    uint64_t hits;  /**< of loads: sectors that a thread of the same block had loaded before */
    uint64_t conflicts; /**< of atomic additions: see conflicts_of */
} Sums;

/** A request that is kept as an example: of the block in the middle of the grid, if there is one, and the
 * first one with most sectors or wavefronts. */
typedef struct {
    Request request;
    int sectors; /**< or wavefronts */
    int is_in_the_middle;
} Sample;

/** An instruction of a kernel. */
typedef struct {
    const void *place; /**< where it returns to from the recorder */
    Access access;
    unsigned size;   /**< bytes of a thread's access */
    unsigned widest; /**< of a structure, whose parts are accessed: bytes of one, at most; else 0 */
    int polls;       /**< whether it polls for what other blocks store; L1 must not answer then */
    Sums sums;
    Sample sample;
} Instruction;

/** All launches of a kernel. */
typedef struct {
    const char *name;
    int launches;
    uint64_t blocks;          /**< of all launches */
    Bytes dram[KINDS_OF_L2];  /**< what DRAM moves; LEAST: distinct sectors of each launch */
    Instruction *instruction; /**< in the order in which they came up */
    int instruction_count;
} Kernel;

/** What was recorded. */
typedef struct {
    Kernel *kernel;
    int count;
} Recording;

/** Keeps the other sample if it is the better example. */
void keep_better(Sample *sample, const Sample *other);

/** Has the emulator take the device's memory from the recorder. To be called before any is. */
void prepare_recorder(void);

/** Records from now on. */
void begin_recording(void);

/** Ends the recording, which stays until the next begins. Fails with exit code 3 if there was no access. */
const Recording *end_recording(void);

/** A thread of the kernel that runs now accesses memory. `place` is where in the program. */
void record_access(const void *place, Access access, const void *memory, unsigned size);

/** It accesses a structure: in parts as wide as its size and the addresses in its warp allow, of at most
 * `widest` bytes, or of 16 in shared memory, whose addresses a compiler knows. */
void record_structure(const void *place, Access access, const void *memory, unsigned size, unsigned widest);
