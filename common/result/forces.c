#include "result/forces.h"

#include "host/allocate.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/** Counts the links of a cell of a body, which lies inside the grid; stores them if there is room. */
static size_t links_of(const Scenario *s, size_t cell, Link *link)
{
    const Lattice *lattice = s->flow->lattice;
    const ptrdiff_t row = s->width, layer = row * s->height;
    size_t count = 0;
    for (int i = 1; i < lattice->directions; i++) {
        const size_t fluid = cell + lattice->e(i, 2) * layer + lattice->e(i, 1) * row + lattice->e(i, 0);
        if (is_wall(s->type[fluid]))
            continue;
        if (link)
            link[count] =
                (Link){lattice->directions * fluid + i, lattice->e(i, 0), lattice->e(i, 1), lattice->e(i, 2)};
        count++;
    }
    return count;
}

/** The same for the links of all cells. The first and the last row belong to the border, where no body is. */
static size_t go_through_links(const Scenario *s, Link *link)
{
    const size_t row = (size_t)s->width;
    size_t count = 0;
    for (size_t cell = row; cell < cell_count(s) - row; cell++)
        if (s->type[cell] == BODY)
            count += links_of(s, cell, link ? link + count : NULL);
    return count;
}

LinkList find_links(const Scenario *s)
{
    LinkList links = {go_through_links(s, NULL), NULL};
    links.link = allocate(links.count * sizeof *links.link);
    go_through_links(s, links.link);
    return links;
}

void destroy_links(LinkList *links)
{
    free(links->link);
    links->link = NULL;
}

double stream_density(const Snapshot *r)
{
    const Scenario *s = r->scenario;
    double density = 0.0;
    int cells = 0;
    for (size_t cell = 0; cell < cell_count(s); cell += (size_t)s->width) // the first column
        if (s->type[cell] == INFLOW) {
            density += 1.0 + r->moments[cell].drho;
            cells++;
        }
    return cells ? density / cells : 1.0;
}

Force scale_force(const Scenario *s, const double force[3], double density, long step)
{
    const double area = s->flow->lattice->dimensions == 2 ? s->length : 0.25 * pi * s->length * s->length;
    const double unit = 0.5 * density * s->u * s->u * area;
    return (Force){(double)step, force[0] / unit, force[1] / unit, force[2] / unit};
}

/** The weights that the populations lack (they are shifted) cancel over the closed surface of a body. */
Force force_on_bodies(const Snapshot *r, const LinkList *links)
{
    double force[3] = {0.0, 0.0, 0.0};
    for (size_t n = 0; n < links->count; n++) {
        const Link *link = &links->link[n];
        force[0] -= 2.0 * link->ex * r->f[link->population];
        force[1] -= 2.0 * link->ey * r->f[link->population];
        force[2] -= 2.0 * link->ez * r->f[link->population];
    }
    return scale_force(r->scenario, force, stream_density(r), r->step);
}

/** Density less 1 on the surface of the disc, extrapolated along row y from its left (-1) or right (1). */
static double surface_density(const Snapshot *r, int y, int way)
{
    const Scenario *s = r->scenario;
    const Body *disc = &s->bodies.body[0];
    const double end = disc->x + 0.5 * way * disc->width;
    int x = (int)lround(disc->x);
    while (is_wall(s->type[(size_t)y * s->width + x]))
        x += way;
    const double near = moments_at(r, x, y).drho, far = moments_at(r, wrap(x + way, s->width), y).drho;
    return near + (near - far) * way * (x - end);
}

int has_pressure_difference(const Scenario *s)
{
    return s->flow->lattice->dimensions == 2 && s->bodies.count == 1 && s->bodies.body[0].round &&
           !s->bodies.mask.dark;
}

int row_beside(const Scenario *s, int n)
{
    const double y = s->bodies.body[0].y;
    return (int)(n == 0 ? floor(y) : ceil(y));
}

double pressure_difference(const Snapshot *r, double density)
{
    const Scenario *s = r->scenario;
    double difference = 0.0;
    for (int n = 0; n < 2; n++) {
        const int row = row_beside(s, n);
        difference += 0.5 * (surface_density(r, row, -1) - surface_density(r, row, 1)) / 3.0;
    }
    return difference / (density * s->u * s->u);
}
