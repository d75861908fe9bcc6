/**
 * @file stage.h
 * The contract of a stage: the program and the tests know stages only through this file.
 */
#ifndef STAGE_H
#define STAGE_H

#include "flow/scenario.h"
#include "gpu/block.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The state of a running stage; each stage defines its own. */
typedef struct Solver Solver;

/** How populations are rounded where they are stored. */
typedef enum {
    TO_NEAREST, /**< to the nearest number: the same number always has the same error */
    STOCHASTIC  /**< up or down at random, so that the mean is right */
} Rounding;

/** One stage of the course. */
typedef struct {
    const char *name;        /**< the name of its folder */
    const char *summary;     /**< the change from the stage that it follows, in one line */
    const Lattice *lattice;  /**< that it computes on; it takes the flows on that lattice */
    double bytes_per_update; /**< least main-memory traffic of one lattice update, in bytes */
    double bytes_per_cell;   /**< memory per cell */
    double epsilon;          /**< largest relative error of rounding one population for storage */
    Rounding rounding;       /**< the direction of that error */
    int cycle;               /**< time steps after which the same kernels come again */
    double magic_tau;        /**< relaxation time at which half-way walls make a channel's parabola exact; for
                               collide of d2q9.h BGK_MAGIC_TAU */

    /**
     * Sets up a solver at the start of a scenario, which must outlive it. Fails with exit code 3 if the
     * machine lacks the memory or the device, and with 2 if the device can't run such a block.
     */
    Solver *(*create)(const Scenario *scenario, Block block);

    /** Advances by `steps` time steps; returns when the work is done. */
    void (*advance)(Solver *solver, int steps);

    /** Copies the populations before the collision, at the current time, to f[directions * cell + i]. */
    void (*read)(const Solver *solver, Real *f);

    /** Frees all memory that `create` allocated. */
    void (*destroy)(Solver *solver);

    /**
     * The reason why the solver can't take a grid of that size on this device, in one line that names the
     * grids it takes; NULL if it can, and then also for lower grids of that width. If it refuses even 1 x 1
     * cells, the device can't run the stage. No function (NULL): any grid that fits into memory. Fails with
     * exit code 3 if there is no device.
     */
    const char *(*refusal)(int width, int height);
} Stage;

/** Inside a stage's solver the build defines STAGE, the symbol, and STAGE_NAME, the folder's name. */
#ifdef STAGE
extern const Stage STAGE;
#endif

#ifdef __cplusplus
}
#endif

#endif
