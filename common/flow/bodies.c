#include "flow/bodies.h"

#include "host/allocate.h"
#include "host/fail.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

Body disc(double x, double y, double radius)
{
    return sphere(x, y, 0.0, radius);
}

Body sphere(double x, double y, double z, double radius)
{
    const Body body = {1, x, y, 2.0 * radius, 2.0 * radius, z};
    return body;
}

/* ---- The pieces of a mask ---- */

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

/** Height of the highest piece; 0 if nothing is dark. Pixels that touch, also at a corner, belong to one. */
static int highest_piece(const Mask *mask)
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

/* ---- Bodies ---- */

double highest_body(const Bodies *bodies)
{
    double height = bodies->mask.dark ? highest_piece(&bodies->mask) : 0.0;
    for (int n = 0; n < bodies->count; n++)
        height = fmax(height, bodies->body[n].height);
    return height;
}

static int covers(const Body *body, Position at)
{
    const double dx = at.x - body->x, dy = at.y - body->y, dz = at.z - body->z;
    if (body->round)
        return 4.0 * (dx * dx + dy * dy + dz * dz) <= body->width * body->width;
    return dx >= 0.0 && dx < body->width && dy >= 0.0 && dy < body->height;
}

/** What the user calls a body, in a plane or in space. */
static const char *describe_body(const Body *s, int is_in_space)
{
    static char text[128];
    if (is_in_space)
        snprintf(text, sizeof text, "sphere %g,%g,%g,%g", s->x, s->y, s->z, 0.5 * s->width);
    else if (s->round)
        snprintf(text, sizeof text, "circle %g,%g,%g", s->x, s->y, 0.5 * s->width);
    else
        snprintf(text, sizeof text, "box %g,%g,%g,%g", s->x, s->y, s->width, s->height);
    return text;
}

/** Makes BODY of what a body covers of a row, unless `type` is NULL; returns how many cells that are. */
static int place_body(const Body *s, int width, Position row, CellType *type)
{
    const double left = s->round ? s->x - 0.5 * s->width : s->x;
    int covered = 0;
    for (int x = (int)left; x <= (int)ceil(left + s->width) && x < width; x++)
        if (covers(s, (Position){x, row.y, row.z})) {
            if (type)
                type[x] = BODY;
            covered++;
        }
    return covered;
}

/** Whether a stretch lies in the fluid of a side with that many cells, of which the outermost are borders. */
static int lies_within(double begin, double length, int cells)
{
    return begin >= 0.5 && begin + length <= cells - 1.5;
}

static int covers_any(const Body *s, Position size, double bottom)
{
    const int front = (int)(s->z - 0.5 * s->width), back = (int)ceil(s->z + 0.5 * s->width);
    const int is_in_space = size.z > 1;
    for (int z = is_in_space ? front : 0; z <= (is_in_space ? back : 0); z++)
        for (int y = (int)bottom; y <= (int)ceil(bottom + s->height); y++)
            if (place_body(s, size.x, (Position){0, y, z}, NULL))
                return 1;
    return 0;
}

static void check_body(const Body *s, Position size, const char *remedy)
{
    const double left = s->round ? s->x - 0.5 * s->width : s->x - 0.5;
    const double bottom = s->round ? s->y - 0.5 * s->height : s->y - 0.5;
    const int is_in_space = size.z > 1;
    const char *name = describe_body(s, is_in_space);
    char depth[32] = "";
    if (is_in_space)
        snprintf(depth, sizeof depth, " and from 0.5 to %g", size.z - 1.5);
    if (!(lies_within(left, s->width, size.x) && lies_within(bottom, s->height, size.y) &&
          (!is_in_space || lies_within(s->z - 0.5 * s->width, s->width, size.z))))
        fail(EXIT_USAGE, "%s reaches out of the fluid: that lies from 0.5 to %g and from 0.5 to %g%s%s", name,
             size.x - 1.5, size.y - 1.5, depth, remedy);
    if (!(s->width >= 1.0 && s->height >= 1.0))
        fail(EXIT_USAGE, "%s is smaller than a cell: it takes at least 1 across%s", name, remedy);
    if (!covers_any(s, size, bottom))
        fail(EXIT_USAGE, "%s covers no cell: make it larger%s", name, remedy);
}

static void check_mask(const Mask *mask, int width, int height)
{
    if (mask->width != width || mask->height != height)
        fail(EXIT_USAGE, "the mask has %dx%d pixels, the grid %dx%d cells: leave --size out", mask->width,
             mask->height, width, height);
    int drawn = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (mask->dark[(size_t)y * width + x]) {
                drawn = 1;
                if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
                    fail(EXIT_USAGE,
                         "the mask is dark on its border, at column %d, row %d: that must be light", x + 1,
                         height - y);
            }
    if (!drawn)
        fail(EXIT_USAGE, "the mask has no dark pixel: bodies are darker than middle grey");
}

void check_bodies(const Bodies *bodies, Position size, const char *remedy)
{
    if (bodies->mask.dark)
        check_mask(&bodies->mask, size.x, size.y);
    for (int n = 0; n < bodies->count; n++)
        check_body(&bodies->body[n], size, remedy);
}

void place_bodies(const Bodies *bodies, int width, Position row, CellType *type)
{
    for (int x = 0; x < width && bodies->mask.dark; x++)
        if (bodies->mask.dark[(size_t)row.y * width + x])
            type[x] = BODY;
    for (int n = 0; n < bodies->count; n++)
        place_body(&bodies->body[n], width, row, type);
}
