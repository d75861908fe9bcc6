/**
 * @file validate.h
 * What is known about each flow, and how far a result is from it. Results are populations before the
 * collision, f[9 * cell + i]. A result with NaN in it gives NaN; compare as !(error <= bound).
 */
#ifndef VALIDATE_H
#define VALIDATE_H

#include "stage.h"

/** Mass of all cells that are not walls, summed in double precision. */
double total_mass(const Scenario *scenario, const float *f);

/** Whether every density is finite and positive and every velocity finite. */
int is_sane(const Scenario *scenario, const float *f);

/** ||u - v|| / ||v|| over all velocities of all cells that are not walls. */
double relative_change(const Scenario *scenario, const float *f, const float *previous);

/** Relative L2 error of the velocity against the flow's analytic solution at time t; NaN if it has none. */
double exact_error(const Scenario *scenario, const float *f, double t);

/**
 * Largest deviation, over lid speed, from Ghia, Ghia & Shin (1982) along a centre line of a square cavity at
 * Re 100 or 1000: line 'u' (u along the vertical one) or 'v' (v along the horizontal one). NaN for flows that
 * they did not publish.
 */
double ghia_deviation(const Scenario *scenario, const float *f, char line);

/** One point of the tables of Ghia et al.: position node / 128, velocity over lid speed at two Re. */
typedef struct {
    int node;
    double re100, re1000;
} GhiaPoint;

enum { GHIA_POINTS = 17 };
extern const GhiaPoint ghia_u[GHIA_POINTS], ghia_v[GHIA_POINTS];

/**
 * Runs a stage through the flows that something is known of; prints one row a check. Returns the number of
 * rows that failed.
 */
int validate(const Stage *stage, Block block);

#endif
