/**
 * @file marching.h
 * Grids on which a warp that marches up a strip of columns may go wrong: widths around one strip and two, and
 * a cell that is no fluid in any column of a strip.
 */
#ifndef MARCHING_H
#define MARCHING_H

#include "hard_grids.h"

// Strips of 16 lanes and of 32, with two columns a lane, one or five of them lost at each side.
static const int strip_widths[] = {1,  2,  3,  4,  5,  9,  10, 11, 21, 22,  23,  29,  30,  31,  43,
                                   44, 45, 53, 54, 55, 61, 62, 63, 89, 107, 108, 109, 123, 124, 125};
enum { STRIP_WIDTHS = sizeof strip_widths / sizeof *strip_widths };

enum { SINGLE_CELLS = 60 * 6 };

/** A periodic grid of fluid with one cell that is none: n % 6 is its type, n / 6 its column. */
static inline Scenario create_single_cell(int n)
{
    const CellType types[] = {WALL, MOVING_WALL, BODY, OPEN, INFLOW, OUTFLOW};
    Scenario s = create_maze(60, 17, 0);
    for (size_t cell = 0; cell < cell_count(&s); cell++)
        s.type[cell] = FLUID;
    s.type[8 * 60 + n / 6] = types[n % 6];
    return s;
}

#endif
