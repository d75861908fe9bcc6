#include "forces.h"

#include "allocate.h"

#include <math.h>
#include <stdlib.h>

/* ---- The force now ---- */

/** Bodies lie inside the grid, so that a link never wraps around. */
static int is_link(const Scenario *s, int x, int y, int i)
{
    const size_t cell = (size_t)y * s->width + x;
    return s->type[cell] == BODY && !is_wall(s->type[cell + ey(i) * s->width + ex(i)]);
}

/** Goes through all links; stores them if there is room for them. Returns their number. */
static size_t go_through_links(const Scenario *s, Link *link)
{
    size_t count = 0;
    for (int y = 1; y < s->height - 1; y++)
        for (int x = 1; x < s->width - 1; x++)
            for (int i = 1; i < 9; i++) {
                if (!is_link(s, x, y, i))
                    continue;
                const size_t fluid = (size_t)(y + ey(i)) * s->width + x + ex(i);
                if (link)
                    link[count] = (Link){9 * fluid + i, ex(i), ey(i)};
                count++;
            }
    return count;
}

Links find_links(const Scenario *s)
{
    Links links = {go_through_links(s, NULL), NULL};
    links.link = allocate(links.count * sizeof *links.link);
    go_through_links(s, links.link);
    return links;
}

void destroy_links(Links *links)
{
    free(links->link);
    links->link = NULL;
}

double stream_density(const Scenario *s, const float *f)
{
    double density = 0.0;
    int cells = 0;
    for (int y = 0; y < s->height; y++)
        if (s->type[(size_t)y * s->width] == INFLOW) {
            density += moments_at(s, f, 0, y).rho;
            cells++;
        }
    return cells ? density / cells : 1.0;
}

/** The weights that the populations lack (they are shifted) cancel over the closed surface of a body. */
Force force_on_bodies(const Scenario *s, const Links *links, const float *f, double step)
{
    double x = 0.0, y = 0.0;
    for (size_t n = 0; n < links->count; n++) {
        const Link *link = &links->link[n];
        x -= 2.0 * link->ex * f[link->population];
        y -= 2.0 * link->ey * f[link->population];
    }
    const double unit = 0.5 * stream_density(s, f) * s->u * s->u * s->length;
    return (Force){step, x / unit, y / unit};
}

/** Density on the surface of the disc, extrapolated along row y from its left (way -1) or right (way 1). */
static double surface_density(const Scenario *s, const float *f, int y, int way)
{
    const Body *disc = &s->bodies.body[0];
    const double end = disc->x + 0.5 * way * disc->width;
    int x = (int)lround(disc->x);
    while (is_wall(s->type[(size_t)y * s->width + x]))
        x += way;
    const double near = moments_at(s, f, x, y).rho, far = moments_at(s, f, wrap(x + way, s->width), y).rho;
    return near + (near - far) * way * (x - end);
}

double pressure_difference(const Scenario *s, const float *f)
{
    if (s->bodies.count != 1 || !s->bodies.body[0].round || s->bodies.mask.dark)
        return NAN;
    double difference = 0.0;
    const double y = s->bodies.body[0].y;
    for (int row = 0; row < 2; row++) {
        const int beside = (int)(row == 0 ? floor(y) : ceil(y));
        difference += 0.5 * (surface_density(s, f, beside, -1) - surface_density(s, f, beside, 1)) / 3.0;
    }
    return difference / (stream_density(s, f) * s->u * s->u);
}

/* ---- The force over time ---- */

/** Adds one more of `count` values to a summary. */
static void add(Summary *summary, double value, size_t count)
{
    summary->mean += value / (double)count;
    summary->min = fmin(summary->min, value);
    summary->max = fmax(summary->max, value);
}

/** Sets mean, extrema and limits from the samples first .. last - 1. */
static void sum_up_part(Shedding *s, const Force *sample, size_t first, size_t last)
{
    const Summary empty = {NAN, 0.0, HUGE_VAL, -HUGE_VAL};
    s->drag = s->lift = empty;
    for (size_t n = first; n < last; n++) {
        add(&s->drag, sample[n].drag, last - first);
        add(&s->lift, sample[n].lift, last - first);
    }
    s->from = sample[first].step;
    s->to = sample[last - 1].step;
}

/** Upward crossings of the mean lift, each after a clear low. */
typedef struct {
    size_t first, last;   /**< the samples that follow the first and the last one */
    double begin, end;    /**< their times, linear between two samples */
    int periods;          /**< between them */
    double short_, long_; /**< the shortest and the longest */
} Crossings;

static Crossings find_crossings(const Shedding *s, const Force *sample, size_t first, size_t count)
{
    const double mean = s->lift.mean, low = mean - 0.25 * (s->lift.max - s->lift.min);
    Crossings c = {.periods = -1, .short_ = HUGE_VAL};
    int was_low = 0;
    for (size_t n = first + 1; n < count; n++) {
        was_low = was_low || sample[n - 1].lift < low;
        if (!was_low || sample[n].lift < mean)
            continue;
        const double rise = sample[n].lift - sample[n - 1].lift, over = sample[n].lift - mean;
        const double time = sample[n].step - (sample[n].step - sample[n - 1].step) * over / rise;
        if (++c.periods == 0) {
            c.first = n;
            c.begin = time;
        } else {
            c.short_ = fmin(c.short_, time - c.end);
            c.long_ = fmax(c.long_, time - c.end);
        }
        c.last = n;
        c.end = time;
        was_low = 0;
    }
    return c;
}

Shedding sum_up(const Force *sample, size_t count)
{
    Shedding s = {.period = NAN};
    const size_t half = count / 2;
    sum_up_part(&s, sample, half, count);
    if (s.lift.max - s.lift.min > 2e-3) {
        const Crossings c = find_crossings(&s, sample, half, count);
        if (c.periods >= 2 && c.last - c.first >= 10 * (size_t)c.periods && c.long_ <= 1.1 * c.short_) {
            sum_up_part(&s, sample, c.first, c.last);
            s.periods = c.periods;
            s.period = (c.end - c.begin) / c.periods;
        }
    }
    s.drag.last = sample[count - 1].drag;
    s.lift.last = sample[count - 1].lift;
    return s;
}
