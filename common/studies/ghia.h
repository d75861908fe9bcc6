/**
 * @file ghia.h
 * The cavity as U. Ghia, K. N. Ghia and C. T. Shin published it: J. Comput. Phys. 48 (1982) 387-411. The
 * values of the cube are from tables 5 and 6 of S. Albensoeder and H. C. Kuhlmann, J. Comput. Phys. 206
 * (2005) 536-558, who took the same points, as tests/validations.py of github.com/tum-pbs/PICT has them.
 */
#ifndef GHIA_H
#define GHIA_H

/** One point of their tables: position node / 128, velocity over lid speed at two Reynolds numbers, and in
 * the cube at Re 1000. */
typedef struct {
    int node;
    double re100, re1000, cube;
} GhiaPoint;

enum { GHIA_POINTS = 17 };

/** Tables I and II: u along the vertical, v along the horizontal centre line. */
extern const GhiaPoint ghia_u[GHIA_POINTS], ghia_v[GHIA_POINTS];

#endif
