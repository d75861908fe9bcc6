/**
 * @file bodies.h
 * Bodies in a stream: discs, boxes and masks, and spheres in space. Lengths are in cells; the centre of cell
 * (x, y, z) is the point (x, y, z), y points up.
 */
#pragma once

#include "lattice/cell.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A cell of the grid, or the number of its cells along each axis; in a plane flow z is 0, or the depth 1. */
typedef struct {
    int x, y, z;
} Position;

/** A disc or a box; in space, a sphere. */
typedef struct {
    int round;            /**< a disc or a sphere, which covers all cells whose centres lie in it */
    double x, y;          /**< centre of the disc, or lower left cell of the box */
    double width, height; /**< of the disc: its diameter; of the box: how many cells, an integer */
    double z;             /**< of the sphere's centre; 0 in a plane */
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

/** The sphere of that centre and radius. */
Body sphere(double x, double y, double z, double radius);

/** Height of the highest body, or piece of the mask (pixels that touch), across the stream. 0: none. */
double highest_body(const Bodies *bodies);

/** Ends the program with exit code 2 and one line if a body covers no cell or reaches the border of the grid,
 * or if the mask has another size than the grid, is dark on its border or nowhere. What is said of a body
 * ends in `remedy`. */
void check_bodies(const Bodies *bodies, Position size, const char *remedy);

/** The largest mask, in pixels along either side. */
enum { MASK_LIMIT = 16384 };

/** Whether PNG files can be read: whether libpng was there at build time. */
int can_read_png(void);

/**
 * Reads a mask, one cell a pixel, upright. Pixels darker than middle grey, seen on white paper, are solid.
 * Takes grey, palette and RGB images of up to 8 bits a channel, with or without alpha, not interlaced; chunks
 * that say nothing of the pixels are skipped. Ends the program with exit code 2 and one line if the file is
 * anything else, is damaged, has more than MASK_LIMIT pixels along a side, or takes more bytes than those
 * could need, and with 3 if memory is short.
 */
Mask read_mask(const char *path);

/** Frees what read_mask took. */
void destroy_mask(Mask *mask);

/** Makes BODY of the cells of a row that the bodies cover: type[x]. The row begins at a position. */
void place_bodies(const Bodies *bodies, int width, Position row, CellType *type);

#ifdef __cplusplus
}
#endif
