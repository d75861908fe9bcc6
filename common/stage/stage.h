/**
 * @file stage.h
 * The contract of a stage: the program and the tests know stages only through this file.
 */
#pragma once

#include "flow/scenario.h"
#include "gpu/block.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The state of a running stage; each stage defines its own. */
typedef struct Solver Solver;

/** Some cells, in an order. */
typedef struct {
    CellNumber count, first;
    const CellNumber *list; /**< their numbers, where the state lives; NULL: first, first + 1, ... */
} Cells;

/** A cell and what is around it, where the state lives: of which a stage gets or puts the populations. */
typedef struct {
    const Physics *physics;
    const CellType *type; /**< of all cells */
    size_t cells;         /**< how many there are */
    CellNumber cell;
    int x, y, z;
} Site;

/** Where the state of a stage lives. */
typedef enum { ON_HOST, ON_DEVICE } Home;

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

    Home home;  /**< where its state lives */
    int varies; /**< whether two runs of a membrane may differ in their last bits: it adds up floating-point
                   numbers in any order */

    /**
     * Of a stage that runs on all ranks (ranks/ranks.h), each of which has some layers of the grid: how many
     * layers of its neighbours it keeps on each side, where there are ranks beside it, and has itself at
     * least; and how many if it is alone, and its grid periodic. The functions below are for the layers of
     * one rank between these ghost layers, as a grid of their own; they are called on all ranks together, and
     * `read` reads no ghost layers. 0: the stage does not run on ranks.
     */
    int ghosts, ghosts_alone;

    /**
     * Sets up a solver of a scenario, whose populations `write` sets. `type` are the types of all cells where
     * the state lives; they and the scenario must outlive the solver. Fails with exit code 3 if the machine
     * lacks the memory or the device, and with 2 if the device can't run such a block.
     */
    Solver *(*create)(const Scenario *scenario, const CellType *type, Block block);

    /** Sets populations before the first step, before the collision: population i of the n-th cell is
     * f[cells.count * i + n], where the state lives; those of walls are 0. */
    void (*write)(Solver *solver, Cells cells, const Real *f);

    /** Advances by `steps` time steps; on the device it may return before the work is done. */
    void (*advance)(Solver *solver, int steps);

    /** The inverse of `write` after a step at least, at the current time. */
    void (*read)(const Solver *solver, Cells cells, Real *f);

    /** Copies the positions of a membrane's nodes, [3][nodes], where the state lives; they begin where the
     * scenario has them at `create`. NULL: the stage takes no flow with a membrane. */
    void (*read_nodes)(const Solver *solver, Real *position);

    /** Frees all memory that `create` allocated. */
    void (*destroy)(Solver *solver);

    /**
     * The reason why the solver can't take a grid of that size on this device, in one line that names the
     * grids it takes; NULL if it can, and then also for lower grids of that width. If it refuses even 1 x 1
     * cells, the device can't run the stage. No function (NULL): any grid that fits into memory. Fails with
     * exit code 3 if there is no device.
     */
    const char *(*unsupported)(int width, int height);
} Stage;

/** Inside a stage's solver the build defines STAGE, the symbol, and STAGE_NAME, the folder's name. */
#ifdef STAGE
extern const Stage STAGE;
#endif

#ifdef __cplusplus
}
#endif
