/**
 * @file picture.h
 * From a field of the flow to colours. Fields with a sign (vorticity, ux, uy, uz) and others (speed, rho) have
 * a colour map each, drawn in CIELAB with steps of equal size.
 */
#pragma once

#include "result/snapshot.h"

/** What a picture shows. Speed is drawn by its square root, as vortices in corners are slow. */
typedef enum { SPEED, VORTICITY, UX, UY, UZ, RHO, FIELD_COUNT } Field;

/** Their names on the command line: speed, vorticity, ux, uy, uz, rho. */
extern const char *const field_names[FIELD_COUNT];

/** All cells with the same x (axis 0), y (1) or z (2). The first axis left points right, the second up. */
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

enum { CAPTION_SIZE = 256 };

/** What stands above pictures and plots: Reynolds number, size, speed, step and the stage's name. */
void caption_of(char text[CAPTION_SIZE], const Snapshot *result, const char *stage);

/** sRGB, 0 .. 255. */
typedef struct {
    unsigned char red, green, blue;
} Colour;

extern const Colour wall_colour; /**< neutral grey */
extern const Colour nan_colour;  /**< loud: magenta, for all that is not finite */

/** From dark violet (0) through green to yellow (1). */
Colour sequential_colour(double t);

/** From blue (0) through white (1/2) to red (1). */
Colour diverging_colour(double t);

enum { SHADES = 255 }; /* odd: zero has a shade of its own */

/** A field of the flow, in a slice, with the colours that show it. */
typedef struct {
    Field field;
    int width, height;    /**< of the slice, in cells */
    CellType *type;       /**< type[y * width + x] */
    float *value;         /**< value[y * width + x]; of speed the root, of density what it exceeds 1 by */
    float low, high;      /**< what the first and the last shade stand for; values beyond are clamped */
    Colour shade[SHADES]; /**< the colour map */
} Picture;

/**
 * Works out the field of a result in a slice, and its scale over all cells there that are not walls: root of
 * speed 0 to the largest, rho smallest to largest, ux, uy and uz +- the largest; vorticity (the component
 * across the slice), +- the 99th percentile. Fails with exit code 3 if memory is short.
 */
Picture create_picture(const Snapshot *result, Field field, Slice slice);

/** Puts another scale in place of that: speed 0 to `largest`, the others +- that. */
void fix_scale(Picture *picture, double largest);

/** A scale for all pictures of a flow: with v the fastest speed that it prescribes, 3/2 v for speed, ux, uy
 * and uz, 9 v^2 for rho, which is 3 for a pressure coefficient, and 5 u / length for vorticity. */
double expected_size(const Scenario *scenario, Field field);

/** Where a value of the field lies between the first shade, 0, and the last, 1. */
double place_on_scale(const Picture *picture, double value);

/** Frees what create_picture took. */
void destroy_picture(Picture *picture);

/** Colour of the mean over the cells x0 <= x < x1, y0 <= y < y1; grey if at least half of them are walls. */
Colour colour_of(const Picture *picture, int x0, int x1, int y0, int y1);
