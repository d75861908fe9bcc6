/**
 * @file ghia.h
 * The cavity as U. Ghia, K. N. Ghia and C. T. Shin published it: J. Comput. Phys. 48 (1982) 387-411.
 */
#ifndef GHIA_H
#define GHIA_H

/** One point of their tables: position node / 128, velocity over lid speed at two Reynolds numbers. */
typedef struct {
    int node;
    double re100, re1000;
} GhiaPoint;

enum { GHIA_POINTS = 17 };

/** Tables I and II: u along the vertical, v along the horizontal centre line. */
extern const GhiaPoint ghia_u[GHIA_POINTS], ghia_v[GHIA_POINTS];

#endif
