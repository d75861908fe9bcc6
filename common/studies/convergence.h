/**
 * @file convergence.h
 * How the error of a flow falls as its grid gets finer. Reynolds number and relaxation time stay the same, so
 * the speed goes as 1 / size and a time of the flow takes size^2 steps: diffusive scaling, with which the error
 * of compressibility falls as 1 / size^2 too (Krueger et al. 2017, chapters 4 and 7; Latt 2008).
 */
#pragma once

#include "result/snapshot.h"

/** Most quantities that are known of one flow, and most sizes where the user names none. */
enum { MOST_QUANTITIES = 3, MOST_USUAL_SIZES = 4 };

/** Something that is known of a flow. */
typedef struct {
    const char *name;                        /**< for a table */
    const char *about;                       /**< what is compared with what */
    double (*error)(const Snapshot *result); /**< how far the result is from it */
} Quantity;

/** A flow of which something is known, and the grids on which it is computed. */
typedef struct {
    const char *flow;                   /**< its name */
    const char *size;                   /**< what a size counts */
    const Quantity *quantity;           /**< all that is known, at most MOST_QUANTITIES; a zero ends them */
    Parameters (*parameters)(int size); /**< of the flow at a size */
    long (*steps)(const Scenario *scenario); /**< how long it takes; NULL: until it is steady */
    int multiple;                            /**< sizes are multiples of this: all grids are similar */
    int smallest;                            /**< and not below this */
    int sizes[MOST_USUAL_SIZES + 1];         /**< where the user names none; a 0 ends them */
} Study;

/** All studies. */
extern const Study studies[];
extern const int study_count;

/** How many quantities a study has. */
int quantity_count(const Study *study);

/** What a stage makes of a flow at one size. */
typedef struct {
    int width, height, depth;      /**< cells, walls included */
    char grid[SIZE_TEXT];          /**< the same as text */
    double u, re, tau;             /**< of the scenario */
    long steps;                    /**< at the end */
    double error[MOST_QUANTITIES]; /**< of each quantity */
} Refinement;

/** The scenario of a study at a size, without cells. Fails with exit code 2 if the grid is too large. */
Scenario study_scenario(const Study *study, int size);

/** Runs a flow at one size, as long as the study says, or until a tenth of the time length^2 / nu changes the
 * velocity by at most 1e-5 and what rounding keeps moving. Fails with exit code 1 and one line if the flow
 * diverges, or does not get steady. */
Refinement refine(const Study *study, const Stage *stage, Block block, int size);

/** The p with which errors go as 1 / size^p. NaN if either error is not a positive number. */
double order_of_convergence(double coarse_error, double fine_error, int coarse, int fine);
