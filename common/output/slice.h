/**
 * @file slice.h
 * The cells of a flow in space that a picture shows.
 */
#ifndef SLICE_H
#define SLICE_H

#include "flow/scenario.h"

/** All cells with the same x (axis 0), y (1) or z (2). Of the other two axes the first one points to the
 * right, the second one up. */
typedef struct {
    int axis, at;
} Slice;

/** The middle layer in z; of a plane flow all of it. */
Slice middle_slice(const Scenario *scenario);

/** Cells of a slice along the axis to the right, and along the one that points up. */
int slice_width(const Scenario *scenario, Slice slice), slice_height(const Scenario *scenario, Slice slice);

/** Where cell (x, y) of a slice is in the grid. */
Position in_slice(Slice slice, int x, int y);

enum { SLICE_TEXT = 32 };

/** Where it is and how it lies: "z = 12, y over x"; "" for a plane flow. */
void describe_slice(const Scenario *scenario, Slice slice, char text[SLICE_TEXT]);

#endif
