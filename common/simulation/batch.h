/**
 * @file batch.h
 * A batch of the grid on its way between a solver and what looks at it, in the memory where the state lives.
 * Its loops are compiled for each lattice and each memory, and give the same bits in both.
 */
#pragma once

#include "flow/solutions.h"
#include "stage/stage.h"

#ifdef __cplusplus
extern "C" {
#endif

/** FlowSums over cells that are no walls. */
typedef struct {
    double mass, momentum[3], energy; /**< energy: kinetic */
    double least_density;
    double insane; /**< cells whose density is not finite and positive, or whose velocity is not finite */
    double difference, square; /**< of the velocities now and before: |now - before|^2; |before|^2 */
} FlowSums;

/** Cells, and what is known of them. */
typedef struct {
    Physics physics;
    Real lid;                  /**< speed of moving walls, to the right, or at y = 0 to the left */
    Constants constants;       /**< of the whole grid, of which a rank has a part */
    CellNumber first_in_whole; /**< the number there of cell 0 */
    Solution solution;
    double time;            /**< of the solution */
    const CellType *type;   /**< of all cells */
    const CellType *listed; /**< NULL, or instead those of the cells in the list, for `moments` and samples */
    Cells cells;
    Real *f;            /**< [directions][cells.count]: populations */
    Real *side_by_side; /**< [cells.count][directions]: the same */
    Moments *moments;   /**< [cells.count] */
    Real *before;       /**< [3][cells of the grid]: velocities at the look before; NULL: not kept */
    size_t grid;        /**< cells of the grid */
    FlowSums *partial;  /**< [adders]: cell n is part of number n modulo ADDERS */
} Batch;

/** The most partial sums. */
enum { ADDERS = 1 << 16 };

/** FlowSums that are to be added up: sums[n], sums[n + stride], ... become total[n], for each n < stride. */
typedef struct {
    const FlowSums *sums;
    CellNumber count, stride;
    FlowSums *total;
} Fold;

/** A population that comes back from a body, by its place in a sample, and its direction. */
typedef struct {
    CellNumber place;
    signed char ex, ey, ez;
} SampledLink;

/** Threads that add up a sample, and what they add up: force along x, y and z, density of the inflow. */
enum { SAMPLERS = 256, FORCE_NUMBERS = 4 };

/** Samples of a list of cells: first those of the links, then those of the inflow, then the probes. */
typedef struct {
    Batch batch; /**< its cells are the list; f[sample][directions][cells.count] */
    const SampledLink *link;
    CellNumber links, inflow, probes; /**< number of links; where inflow and probes begin in the list */
    double *partial;                  /**< [sample][SAMPLERS][FORCE_NUMBERS] */
    CellNumber row;                   /**< numbers of a sample: FORCE_NUMBERS, and three of each probe */
    double *rows;                     /**< [sample][row] */
} Sampled;

/** Loops over the cells of a batch. */
typedef struct {
    void (*start)(Batch batch,
                  CellNumber count); /**< populations of the solution into `f`; walls get zeros */
    void (*split)(Batch batch, CellNumber count);   /**< `side_by_side` into `f`; walls get zeros */
    void (*join)(Batch batch, CellNumber count);    /**< `f` into `side_by_side` */
    void (*moments)(Batch batch, CellNumber count); /**< `f` into `moments`: see find_moments */
    void (*add)(Batch batch, CellNumber count); /**< `f` to `partial`, for each of the first ADDERS cells */
    void (*add_errors)(Batch batch, CellNumber count); /**< the same, with the difference from the solution */
    void (*clear)(Batch batch, CellNumber count);      /**< makes `partial` the sums of nothing */
    void (*fold)(Fold fold, CellNumber stride);
    void (*add_sample)(Sampled sampled,
                       CellNumber adders); /**< to `partial`; velocities of probes to `rows` */
    void (*fold_sample)(Sampled sampled, CellNumber numbers); /**< `partial` to `rows` */
} BatchLoops;

extern const BatchLoops d2q9_on_host, d2q9_on_device, d3q19_on_host, d3q19_on_device;

#ifdef __cplusplus
}
#endif
