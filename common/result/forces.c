#include "result/forces.h"

#include "host/allocate.h"

#include <math.h>
#include <stdlib.h>

/** Bodies lie inside the grid, so that a link never wraps around. */
static int is_link(const Scenario *s, int x, int y, int i)
{
    const size_t cell = (size_t)y * s->width + x;
    const Lattice *lattice = s->flow->lattice;
    return s->type[cell] == BODY && !is_wall(s->type[cell + lattice->e(i, 1) * s->width + lattice->e(i, 0)]);
}

/** Goes through all links; stores them if there is room for them. Returns their number. */
static size_t go_through_links(const Scenario *s, Link *link)
{
    const Lattice *lattice = s->flow->lattice;
    size_t count = 0;
    for (int y = 1; y < s->height - 1; y++)
        for (int x = 1; x < s->width - 1; x++)
            for (int i = 1; i < lattice->directions; i++) {
                if (!is_link(s, x, y, i))
                    continue;
                const int ex = lattice->e(i, 0), ey = lattice->e(i, 1);
                const size_t fluid = (size_t)(y + ey) * s->width + x + ex;
                if (link)
                    link[count] = (Link){lattice->directions * fluid + i, ex, ey};
                count++;
            }
    return count;
}

BodyLinks find_links(const Scenario *s)
{
    BodyLinks links = {go_through_links(s, NULL), NULL};
    links.link = allocate(links.count * sizeof *links.link);
    go_through_links(s, links.link);
    return links;
}

void destroy_links(BodyLinks *links)
{
    free(links->link);
    links->link = NULL;
}

double stream_density(const Result *r)
{
    const Scenario *s = r->scenario;
    double density = 0.0;
    int cells = 0;
    for (int y = 0; y < s->height; y++)
        if (s->type[(size_t)y * s->width] == INFLOW) {
            density += moments_at(r, 0, y).rho;
            cells++;
        }
    return cells ? density / cells : 1.0;
}

/** The weights that the populations lack (they are shifted) cancel over the closed surface of a body. */
Force force_on_bodies(const Result *r, const BodyLinks *links)
{
    const Scenario *s = r->scenario;
    double x = 0.0, y = 0.0;
    for (size_t n = 0; n < links->count; n++) {
        const Link *link = &links->link[n];
        x -= 2.0 * link->ex * r->f[link->population];
        y -= 2.0 * link->ey * r->f[link->population];
    }
    const double unit = 0.5 * stream_density(r) * s->u * s->u * s->length;
    return (Force){(double)r->step, x / unit, y / unit};
}

/** Density on the surface of the disc, extrapolated along row y from its left (way -1) or right (way 1). */
static double surface_density(const Result *r, int y, int way)
{
    const Scenario *s = r->scenario;
    const Body *disc = &s->bodies.body[0];
    const double end = disc->x + 0.5 * way * disc->width;
    int x = (int)lround(disc->x);
    while (is_wall(s->type[(size_t)y * s->width + x]))
        x += way;
    const double near = moments_at(r, x, y).rho, far = moments_at(r, wrap(x + way, s->width), y).rho;
    return near + (near - far) * way * (x - end);
}

double pressure_difference(const Result *r)
{
    const Scenario *s = r->scenario;
    if (s->bodies.count != 1 || !s->bodies.body[0].round || s->bodies.mask.dark)
        return NAN;
    double difference = 0.0;
    const double y = s->bodies.body[0].y;
    for (int row = 0; row < 2; row++) {
        const int beside = (int)(row == 0 ? floor(y) : ceil(y));
        difference += 0.5 * (surface_density(r, beside, -1) - surface_density(r, beside, 1)) / 3.0;
    }
    return difference / (stream_density(r) * s->u * s->u);
}
