/**
 * @file pieces.h
 * The pieces of a mask: dark pixels that touch, at a side or at a corner, belong to one.
 */
#ifndef PIECES_H
#define PIECES_H

#include "flow/bodies.h"

/** Height of the highest piece, from its lowest row to its highest. 0 if nothing is dark. */
int highest_piece(const Mask *mask);

#endif
