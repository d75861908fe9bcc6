/**
 * @file bodies.h
 * Bodies in a stream: discs, boxes and masks. Lengths are in cells; the centre of cell (x, y) is the point
 * (x, y), y points up.
 */
#ifndef BODIES_H
#define BODIES_H

#include "lattice/cell.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A disc or a box. */
typedef struct {
    int round;            /**< a disc, which covers all cells whose centres lie in it */
    double x, y;          /**< centre of the disc, or lower left cell of the box */
    double width, height; /**< of the disc: its diameter; of the box: how many cells, an integer */
} Body;

/** A mask: cell (x, y) is solid where dark[y * width + x] is not 0. */
typedef struct {
    int width, height;
    unsigned char *dark; /**< NULL: there is none */
} Mask;

enum { MAX_BODIES = 64 };

/** All bodies of a flow. */
typedef struct {
    int count;
    Body body[MAX_BODIES];
    Mask mask;
} Bodies;

/** The disc of that centre and radius. */
Body disc(double x, double y, double radius);

/** Height of the highest body, across the stream; a mask has as many as pieces (pieces.h). 0: none. */
double highest_body(const Bodies *bodies);

/**
 * Ends the program with exit code 2 and one line if a body covers no cell or reaches the border of the grid,
 * or if the mask has another size than the grid, is dark on its border or nowhere. What is said of a body
 * ends in `remedy`, which may be empty.
 */
void check_bodies(const Bodies *bodies, int width, int height, const char *remedy);

/** Makes BODY of the cells of row y that the bodies cover: type[x]. */
void place_bodies(const Bodies *bodies, int width, int y, Cell *type);

#ifdef __cplusplus
}
#endif

#endif
