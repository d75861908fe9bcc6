/**
 * @file streamlines.h
 * Lines along which the flow moves where it is steady, as contours of the stream function: in a flow without
 * sources, two points with the same value have no flow between them. Between neighbouring lines flows the
 * same amount, so that they are close together where the flow is fast.
 */
#pragma once

#include "result/snapshot.h"

/** Takes a piece of a line, from (x0, y0) to (x1, y1); the centre of cell (x, y) is at (x, y). */
typedef void (*DrawPiece)(void *target, double x0, double y0, double x1, double y1);

/**
 * Draws streamlines in the fluid: one for each 14th of the largest stream function. What turns the other way
 * too weakly to get one of these lines, such as the vortices in the corners of a cavity, gets four of its
 * own. Fails with exit code 3 if memory is short.
 */
void draw_streamlines(const Snapshot *result, DrawPiece draw, void *target);
