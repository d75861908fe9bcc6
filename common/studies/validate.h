/**
 * @file validate.h
 * Stages against what is known of the flows.
 */
#pragma once

#include "stage/stage.h"

/** The flows that something is known of. */
typedef enum {
    CHANNEL,          /**< the exact parabola */
    VORTICES,         /**< the analytic solution of Taylor-Green vortices */
    SLOW_CAVITY,      /**< published extrema and profiles at Re 100, three sizes */
    FAST_CAVITY,      /**< the same at Re 1000, one size */
    CHANNEL_CYLINDER, /**< published drag and lift, and the flow rate prescribed */
    DUCT,             /**< in space: the exact profile, two sizes */
    BELTRAMI,         /**< in space: the exact decay of the flow abc, two sizes */
    SLOW_CUBE,        /**< in space: a cavity of one layer is the plane one, a cube symmetric, at Re 100 */
    FAST_CUBE,        /**< in space: published extrema and profiles at Re 1000; takes a GPU */
    SPACE_VORTICES,   /**< in space: the exact decay of plane vortices along each axis, and lost energy */
    SPHERE,           /**< in space: published drag */
    CAPSULE           /**< with a membrane: its deformation in a slow shear flow, and what it keeps */
} KnownFlow;
enum { KNOWN_FLOWS = CAPSULE + 1 };

/** Runs a stage through one of them, unless the flow is on another lattice; prints one row a check, or one
 * line where the stage refuses a grid. Returns the number of rows that failed. All cavities but
 * the smallest begin with the steady state of a fast stage, and waves; if that is NULL, at rest. */
int validate_flow(const Stage *stage, const Stage *quick, Block block, KnownFlow flow);

/** Runs stages through all of them, under a head each, and prints the rows in their order, then one line that
 * says what was checked and whether all of it holds. On the CPU as many flows are computed at a time as there
 * are cores. The emulator leaves out flows without a membrane of stages that take one, but if such a stage is
 * alone. Returns the number of rows that failed; a stage that refuses every grid counts as one. */
int validate(const Stage *const *stages, int count, const Stage *quick, Block block);
