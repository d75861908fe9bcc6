#include "flow/bodies.h"

#include "flow/pieces.h"
#include "host/fail.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

Body disc(double x, double y, double radius)
{
    const Body body = {1, x, y, 2.0 * radius, 2.0 * radius};
    return body;
}

double highest_body(const Bodies *bodies)
{
    double height = bodies->mask.dark ? highest_piece(&bodies->mask) : 0.0;
    for (int n = 0; n < bodies->count; n++)
        height = fmax(height, bodies->body[n].height);
    return height;
}

static int covers(const Body *body, int x, int y)
{
    const double dx = x - body->x, dy = y - body->y;
    if (body->round)
        return 4.0 * (dx * dx + dy * dy) <= body->width * body->width;
    return dx >= 0.0 && dx < body->width && dy >= 0.0 && dy < body->height;
}

/** What the user calls a body. */
static const char *describe_body(const Body *s)
{
    static char text[128];
    if (s->round)
        snprintf(text, sizeof text, "circle %g,%g,%g", s->x, s->y, 0.5 * s->width);
    else
        snprintf(text, sizeof text, "box %g,%g,%g,%g", s->x, s->y, s->width, s->height);
    return text;
}

/** Makes BODY of what a body covers of row y, unless `type` is NULL; returns how many cells that are. */
static int place_body(const Body *s, int width, int y, Cell *type)
{
    const double left = s->round ? s->x - 0.5 * s->width : s->x;
    int covered = 0;
    for (int x = (int)left; x <= (int)ceil(left + s->width) && x < width; x++)
        if (covers(s, x, y)) {
            if (type)
                type[x] = BODY;
            covered++;
        }
    return covered;
}

static void check_body(const Body *s, int width, int height, const char *remedy)
{
    const double left = s->round ? s->x - 0.5 * s->width : s->x - 0.5;
    const double bottom = s->round ? s->y - 0.5 * s->height : s->y - 0.5;
    if (!(left >= 0.5 && left + s->width <= width - 1.5 && bottom >= 0.5 &&
          bottom + s->height <= height - 1.5))
        fail(EXIT_USAGE, "%s reaches out of the fluid: that lies from 0.5 to %g and from 0.5 to %g%s",
             describe_body(s), width - 1.5, height - 1.5, remedy);
    if (!(s->width >= 1.0 && s->height >= 1.0))
        fail(EXIT_USAGE, "%s is smaller than a cell: it takes at least 1 across%s", describe_body(s), remedy);
    int covered = 0;
    for (int y = (int)bottom; y <= (int)ceil(bottom + s->height) && !covered; y++)
        covered = place_body(s, width, y, NULL);
    if (!covered)
        fail(EXIT_USAGE, "%s covers no cell: make it larger%s", describe_body(s), remedy);
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

void check_bodies(const Bodies *bodies, int width, int height, const char *remedy)
{
    if (bodies->mask.dark)
        check_mask(&bodies->mask, width, height);
    for (int n = 0; n < bodies->count; n++)
        check_body(&bodies->body[n], width, height, remedy);
}

void place_bodies(const Bodies *bodies, int width, int y, Cell *type)
{
    for (int x = 0; x < width && bodies->mask.dark; x++)
        if (bodies->mask.dark[(size_t)y * width + x])
            type[x] = BODY;
    for (int n = 0; n < bodies->count; n++)
        place_body(&bodies->body[n], width, y, type);
}
