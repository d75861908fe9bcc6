/**
 * @file cavity.h
 * The lid-driven cavity, square or a cube, against what is published of it. Velocities are over lid speed.
 * NaN for results with NaN in them and for flows that were not published: all but a square cavity at Re 100
 * or 1000 and a cube at Re 1000.
 *
 * The profiles of the square are from U. Ghia, K. N. Ghia and C. T. Shin (1982), J. Comput. Phys. 48, 387-411;
 * those of the cube from tables 5 and 6 of S. Albensoeder and H. C. Kuhlmann (2005), J. Comput. Phys. 206,
 * 536-558, who took the same points, as tests/validations.py of github.com/tum-pbs/PICT has them.
 */
#pragma once

#include "result/snapshot.h"

/** One point of their tables: position node / 128, velocity over lid speed at two Reynolds numbers, and in
 * the cube at Re 1000. */
typedef struct {
    int node;
    double re100, re1000, cube;
} GhiaPoint;

enum { GHIA_POINTS = 17 };

/** Tables I and II: u along the vertical, v along the horizontal centre line. */
extern const GhiaPoint ghia_u[GHIA_POINTS], ghia_v[GHIA_POINTS];

/** Whether a flow is a cavity, of any size and at any Reynolds number. */
int is_cavity(const Scenario *scenario);

/** The points of Ghia's table for a centre line, without its ends: where, in cells, and the velocity. Returns
 * how many there are: none for other flows. */
int ghia_points(const Scenario *scenario, char line, double *along, double *velocity);

/** Largest deviation from the profile along a centre line: 'u' (u along the vertical one) or 'v' (v along the
 * horizontal one). The least v of Ghia et al. at Re 1000 is off by 0.012. */
double ghia_deviation(const Snapshot *result, char line);

/**
 * Largest deviation of the extrema on the centre lines, least u, largest and least v, from C. H. Marchi, R.
 * Suero & L. K. Araki (2009), J. Braz. Soc. Mech. Sci. Eng. 31, 186-198 (Re 100), and O. Botella & R. Peyret
 * (1998), Comput. Fluids 27, 421-433 (Re 1000); of the cube from S. Albensoeder & H. C. Kuhlmann (2005), J.
 * Comput. Phys. 206, 536-558, as B. Ben Beya & T. Lili (2008), C. R. Mecanique 336, 863-872, quote them.
 */
double extrema_deviation(const Snapshot *result);
