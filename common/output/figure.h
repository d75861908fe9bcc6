/**
 * @file figure.h
 * Pictures of the flow to look at: large enough, with title, colour bar and numbers, by Cairo.
 */
#pragma once

#include "output/picture.h"

/** Whether they can be drawn: whether Cairo was there at build time. */
int can_draw(void);

/** How a field is shown. */
typedef struct {
    Field field;
    Slice slice;
    double largest;  /**< to where the scale goes (fix_scale); 0: to where the field goes */
    int streamlines; /**< whether they are drawn too; in a plane flow alone */
} Look;

/**
 * Writes a figure as a PNG file: cells as squares of some pixels, or pixels as the mean of some cells; the
 * longer side has 800 to 1600 pixels, and what stands around it. `stage` is named in it. Fails with exit code
 * 2 without Cairo, and with 3 if memory is short.
 */
void write_figure(const char *path, const Snapshot *result, const Look *look, const char *stage);
