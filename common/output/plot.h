/**
 * @file plot.h
 * Curves over an axis, side by side in an SVG file, by Cairo.
 */
#pragma once

#include <stddef.h>

/** Points (x[stride * n], y[stride * n]); the curve has a gap where they are not finite. */
typedef struct {
    const char *name;
    const double *x, *y;
    size_t count, stride;
    int dots; /**< whether they are drawn as dots instead of a line */
} Curve;

enum { MOST_CURVES = 6 };

/** Curves over the same axis. */
typedef struct {
    const char *title, *axis; /**< above; below the axis along x */
    int logarithmic;          /**< whether y is drawn by its logarithm; then values from 0 down are gaps */
    int count;
    Curve curve[MOST_CURVES];
} Panel;

/** Writes panels under a title and a line of text. Fails with exit code 2 without Cairo. */
void write_plot(const char *path, const char *title, const char *caption, const Panel *panels, int count);
