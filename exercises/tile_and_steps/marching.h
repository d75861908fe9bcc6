/**
 * @file marching.h
 * What decides how a marching kernel is best launched on a GPU: the numbers of the GPU, of the kernel, and of
 * the form that it takes.
 */
#ifndef MARCHING_H
#define MARCHING_H

/** A GPU. */
typedef struct {
    int registers;    /**< of an SM */
    int shared_bytes; /**< of an SM */
    double bandwidth; /**< bytes that a copy reads and writes in a second */
    double flops; /**< in a second, single precision: each fused multiplication and addition counts as two */
} Gpu;

/** A kernel. Its numbers are floats or link words, of four bytes each. */
typedef struct {
    int dimensions;  /**< 2: a warp takes a strip; 3: a block takes a tile, the only one on its SM */
    int least_warps; /**< that must be resident on an SM to hide latency */
    int read;        /**< numbers of a cell that a sweep loads */
    int written;     /**< numbers of a cell that it stores */
    int waiting;     /**< registers of a thread for each of its columns and steps */
    int working;     /**< registers for each of its columns, whatever the steps: moments, populations */
    int other;       /**< registers besides: addresses, counters, constants */
    int staged;      /**< numbers in shared memory for each column of the SM */
    int crossing;    /**< and for each lane and end of a warp's rows, in each of EXCHANGE_BUFFERS */
    double fixed;    /**< instructions of a thread for each cell that it fetches, whatever the steps */
    double per_step; /**< and for each of its steps */
} Kernel;

/** The form of a launch. */
typedef struct {
    int warps;   /**< resident on an SM */
    int columns; /**< of a lane: side by side in the plane, one in each of the warp's rows in space */
    int steps;   /**< of a sweep */
} Form;

enum {
    LANES = 32,
    MOST_REGISTERS = 255, /**< of a thread */
    ALLOTMENT = 8,        /**< a thread is given a multiple of so many registers */
    WARPS_APART = 4,      /**< an SM has four schedulers, so its warps are a multiple of four */
    MOST_WARPS = 32,
    MOST_COLUMNS = 4,
    MOST_STEPS = 12,
    EXCHANGE_BUFFERS = 2, /**< through which warps exchange numbers; they take turns, whatever the steps */
};

/** An H200; the bandwidth is that of the reference tables. */
static const Gpu h200 = {.registers = 65536, .shared_bytes = 232448, .bandwidth = 4289e9, .flops = 66.9e12};

/** Stage 35. The last two numbers fit labs/results/plane_steps.csv for one to five steps, within 3%. */
static const Kernel plane = {.dimensions = 2,
                             .least_warps = 12,
                             .read = 6,
                             .written = 6,
                             .waiting = 8,
                             .working = 15,
                             .other = 44,
                             .staged = 18,
                             .crossing = 0,
                             .fixed = 80.0,
                             .per_step = 59.0};

/** Stage 53. The last two fit labs/results/space_steps.csv, without instructions for walls, for one to three
 * steps. */
static const Kernel space = {.dimensions = 3,
                             .least_warps = 8,
                             .read = 10,
                             .written = 9,
                             .waiting = 13,
                             .working = 28,
                             .other = 44,
                             .staged = 22,
                             .crossing = 10,
                             .fixed = 58.0,
                             .per_step = 149.5};

/** Bytes of shared memory that the blocks of an SM take. */
static inline int shared_bytes(const Kernel *kernel, const Form *form)
{
    const int staged = form->warps * form->columns * kernel->staged;
    const int exchanged = EXCHANGE_BUFFERS * (form->warps + 1) * kernel->crossing;
    return 4 * LANES * (staged + exchanged);
}

#endif
