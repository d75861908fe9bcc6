/**
 * @file streamlines.h
 * Lines along which a steady flow moves: contours of the stream function, between which flows equal amounts.
 */
#pragma once

#include "result/snapshot.h"

/** Takes a piece of a line, from (x0, y0) to (x1, y1); the centre of cell (x, y) is at (x, y). */
typedef void (*DrawPiece)(void *target, double x0, double y0, double x1, double y1);

/** Draws streamlines in the fluid: one for each 14th of the largest stream function; four of their own for
 * what turns the other way too weakly, as in the corners of a cavity. Fails with exit code 3 if memory is
 * short. */
void draw_streamlines(const Snapshot *result, DrawPiece draw, void *target);
