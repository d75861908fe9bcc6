#include "flow/pieces.h"

#include "host/allocate.h"

#include <stddef.h>
#include <stdlib.h>

/**
 * The forest of a union-find over two rows, the one in work and the one below it: what lies deeper is not
 * needed to join pieces. Pixel (x, y) has the place (y % 2) * width + x.
 */
typedef struct {
    const Mask *mask;
    int *parent; /**< a root is its own; one in the row in work has no parent below */
    int *lowest; /**< row of the piece, at its root */
} Forest;

static int is_dark(const Mask *mask, int x, int y)
{
    return x >= 0 && x < mask->width && y >= 0 && mask->dark[(size_t)y * mask->width + x];
}

static int place(const Forest *forest, int x, int y)
{
    return (y & 1) * forest->mask->width + x;
}

static int root(const Forest *forest, int pixel)
{
    int *parent = forest->parent;
    while (parent[pixel] != pixel)
        pixel = parent[pixel] = parent[parent[pixel]];
    return pixel;
}

/** Joins the piece of a pixel of row y with that of pixel (x, y - 1) if it is dark; returns its height. */
static int join(Forest *forest, int pixel, int x, int y)
{
    const int upper = root(forest, pixel);
    if (is_dark(forest->mask, x, y - 1)) {
        const int lower = root(forest, place(forest, x, y - 1));
        if (forest->lowest[lower] < forest->lowest[upper])
            forest->lowest[upper] = forest->lowest[lower];
        forest->parent[lower] = upper;
    }
    return y - forest->lowest[upper] + 1;
}

/** Adds the dark pixel (x, y); returns the height, so far, of the piece to which it belongs. */
static int add_pixel(Forest *forest, int x, int y)
{
    const int pixel = place(forest, x, y);
    if (is_dark(forest->mask, x - 1, y)) {
        forest->parent[pixel] = forest->parent[pixel - 1];
    } else {
        forest->parent[pixel] = pixel;
        forest->lowest[pixel] = y;
        join(forest, pixel, is_dark(forest->mask, x, y - 1) ? x : x - 1, y); // if both are dark, they touch
    }
    return join(forest, pixel, x + 1, y);
}

int highest_piece(const Mask *mask)
{
    const size_t places = 2 * (size_t)mask->width;
    Forest forest = {mask, allocate(places * sizeof(int)), allocate(places * sizeof(int))};
    int highest = 0;
    for (int y = 0; y < mask->height; y++)
        for (int x = 0; x < mask->width; x++)
            if (mask->dark[(size_t)y * mask->width + x]) {
                const int height = add_pixel(&forest, x, y);
                highest = height > highest ? height : highest;
            }
    free(forest.parent);
    free(forest.lowest);
    return highest;
}
