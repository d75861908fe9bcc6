// Prints drag and lift of case 2D-1 of Schaefer & Turek (1996) for two surfaces of the same cylinder: the
// staircase, whose walls lie half way on every link, and the circle itself, by linear interpolation along the
// links (Bouzidi, Firdaouss, Lallemand 2001, doi:10.1063/1.1399290, eqs. (5)). All else is alike.
#include "flow/scenario.h"
#include "host/allocate.h"
#include "lattice/d2q9.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/** A link that ends in the cylinder: population i leaves a fluid cell for it. */
typedef struct {
    size_t cell;
    int i;
    double q;   // which part of the link lies in the fluid
    Real was;   // population i after the collision
    Real comes; // population opposite(i), as it comes back
} Link;

typedef struct {
    Scenario s;
    Real *f, *next; // after the collision
    Link *link;
    size_t links;
} Channel;

/** Which part of the link i of cell (x, y) lies outside a circle that its other end lies in. */
static double part_outside(const Body *circle, int x, int y, int i)
{
    const double dx = x - circle->x, dy = y - circle->y, radius = 0.5 * circle->width;
    const double a = ex(i) * ex(i) + ey(i) * ey(i), b = ex(i) * dx + ey(i) * dy;
    return (-b - sqrt(b * b - a * (dx * dx + dy * dy - radius * radius))) / a;
}

static size_t find_links(const Scenario *s, int interpolate, Link *link)
{
    size_t count = 0;
    for (int y = 1; y < s->height - 1; y++)
        for (int x = 1; x < s->width - 1; x++)
            for (int i = 1; i < DIRECTIONS; i++) {
                const size_t cell = (size_t)y * s->width + x;
                if (is_wall(s->type[cell]) || s->type[cell + ey(i) * s->width + ex(i)] != BODY)
                    continue;
                if (link)
                    link[count] =
                        (Link){cell, i, interpolate ? part_outside(&s->bodies.body[0], x, y, i) : 0.5, 0, 0};
                count++;
            }
    return count;
}

static Channel create_channel(int diameter, int interpolate)
{
    const int width = 22 * diameter + 2, height = 41 * diameter / 10 + 2;
    Channel c = {
        .s = create_scenario(find_flow("channel_cylinder"), (Parameters){.width = width, .height = height})};
    const size_t populations = population_count(&c.s);
    c.f = allocate(populations * sizeof *c.f);
    c.next = allocate(populations * sizeof *c.next);
    initial_populations(&c.s, c.f);
    c.links = find_links(&c.s, interpolate, NULL);
    c.link = allocate(c.links * sizeof *c.link);
    find_links(&c.s, interpolate, c.link);
    return c;
}

/** What comes back along the links. A cell between two surfaces has no cell behind it to interpolate with. */
static void reflect(Channel *c)
{
    for (size_t n = 0; n < c->links; n++) {
        Link *l = &c->link[n];
        const Real *f = c->f + DIRECTIONS * l->cell;
        const size_t behind = l->cell - ey(l->i) * c->s.width - ex(l->i);
        const double q = is_wall(c->s.type[behind]) && l->q < 0.5 ? 0.5 : l->q;
        l->was = f[l->i];
        l->comes = (Real)(q < 0.5 ? 2 * q * f[l->i] + (1 - 2 * q) * c->f[DIRECTIONS * behind + l->i]
                                  : f[l->i] / (2 * q) + (1 - 1 / (2 * q)) * f[opposite(l->i)]);
    }
}

/** One step: fetches what comes to each cell, and lets it collide. */
static void step(Channel *c)
{
    const Scenario *s = &c->s;
    const Link *l = c->link, *const end = l + c->links;
    reflect(c);
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const size_t cell = (size_t)y * s->width + x;
            if (is_wall(s->type[cell]))
                continue;
            Real *f = c->next + DIRECTIONS * cell;
            for (int i = 0; i < DIRECTIONS; i++) {
                const Destination from = boundary(&s->physics, s->type, x, y, i);
                f[opposite(i)] = c->f[DIRECTIONS * from.cell + opposite(from.direction)];
            }
            for (; l < end && l->cell == cell; l++)
                f[opposite(l->i)] = l->comes;
            collide(f, s->type[cell], y, &s->physics);
        }
    Real *swap = c->f;
    c->f = c->next;
    c->next = swap;
}

/** Mean density of the inflow. */
static double stream_density(const Channel *c)
{
    double sum_of_rho = 0.0;
    for (int y = 1; y < c->s.height - 1; y++)
        sum_of_rho += 1.0 + sum(c->f + DIRECTIONS * (size_t)y * c->s.width);
    return sum_of_rho / (c->s.height - 2);
}

/** The cylinder gets what each link brings and what it does not take back; weights cancel over all links. */
static void print_forces(const Channel *c, const char *surface, int diameter)
{
    const Scenario *s = &c->s;
    double x = 0.0, y = 0.0;
    for (const Link *l = c->link; l < c->link + c->links; l++) {
        x += ex(l->i) * (l->was + l->comes);
        y += ey(l->i) * (l->was + l->comes);
    }
    const double unit = 0.5 * stream_density(c) * s->u * s->u * s->length;
    printf("%s,%d,%.4f,%.4f\n", surface, diameter, x / unit, y / unit);
    fflush(stdout);
}

static void solve(const char *surface, int interpolate, int diameter)
{
    Channel c = create_channel(diameter, interpolate);
    const int steps = (int)c.s.flow->duration(&c.s);
    for (int n = 0; n < steps; n++)
        step(&c);
    print_forces(&c, surface, diameter);
    free(c.link);
    free(c.next);
    free(c.f);
    destroy_scenario(&c.s);
}

int main(int argc, char **argv)
{
    char *end = "";
    const long largest = argc == 2 ? strtol(argv[1], &end, 10) : 0;
    if (argc != 2 || !isdigit((unsigned char)*argv[1]) || *end || largest < 10 || largest > 1000) {
        fprintf(stderr,
                "staircase: \"%s\" is no LARGEST number of cells a diameter, from 10 to 1000: it takes 10, "
                "20, ... up to it\n",
                argc == 2 ? argv[1] : "");
        return 2;
    }
    printf("# build/staircase %ld: case 2D-1 of Schaefer & Turek, D cells a diameter\n"
           "surface,diameter,drag,lift\n",
           largest);
    for (int diameter = 10; diameter <= largest; diameter *= 2) {
        solve("staircase", 0, diameter);
        solve("circle", 1, diameter);
    }
    return 0;
}
