#include "scenario.h"

#include "allocate.h"
#include "fail.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t most_cells = UINT32_MAX; // that a CellNumber counts

/* Of a Real: the distance of 1 to the next one, and the smallest with all its digits. */
static const double epsilon = sizeof(Real) == sizeof(float) ? FLT_EPSILON : DBL_EPSILON;
static const double smallest_real = sizeof(Real) == sizeof(float) ? FLT_MIN : DBL_MIN;

size_t cell_count(const Scenario *s)
{
    return (size_t)s->width * (size_t)s->height;
}

void describe(const Scenario *s, char text[DESCRIPTION_SIZE])
{
    snprintf(text, DESCRIPTION_SIZE, "%s, %dx%d cells, Re %.9g, tau %.9g, u %.9g", s->flow->name, s->width,
             s->height, s->re, s->tau, s->u);
}

/** Fails unless some cell is fluid. */
static void require_fluid(const Scenario *s)
{
    Cell *row = allocate((size_t)s->width);
    for (int y = 0; y < s->height; y++) {
        cell_rows(s, y, 1, row);
        for (int x = 0; x < s->width; x++)
            if (row[x] == FLUID) {
                free(row);
                return;
            }
    }
    fail(EXIT_USAGE, "the bodies leave no fluid in a grid of %dx%d cells", s->width, s->height);
}

/** Fixes the bodies: those given, or else the flow's own. */
static void set_bodies(Scenario *s, const Bodies *given)
{
    const int most = s->flow->max_bodies;
    if (given->count > most)
        fail(EXIT_USAGE, "%s takes %s, and %d came; the flow \"bodies\" takes up to %d", s->flow->name,
             most == 1       ? "one body"
             : s->flow->body ? "no other body than its own"
                             : "no bodies",
             given->count, MAX_BODIES);
    if (given->mask.dark && most != MAX_BODIES)
        fail(EXIT_USAGE, "%s takes no drawing; bodies does", s->flow->name);
    s->bodies = *given;
    char remedy[128] = "";
    if (s->flow->body && given->count == 0 && !given->mask.dark) {
        s->bodies.body[s->bodies.count++] = s->flow->body(s->width, s->height);
        snprintf(remedy, sizeof remedy, "; it is the flow's own at %dx%d cells: take a size such as %dx%d%s",
                 s->width, s->height, s->flow->defaults.width, s->flow->defaults.height,
                 most > 0 ? ", or give a body" : "");
    }
    if (s->flow->body) {
        check_bodies(&s->bodies, s->width, s->height, remedy);
        require_fluid(s);
    }
}

/**
 * Fixes the speed. Its square, which equilibria and coefficients of forces hold, must be a Real with all its
 * digits.
 */
static void set_speed(Scenario *s, double u)
{
    const double sound = sqrt(1.0 / 3.0), least = sqrt(smallest_real);
    const double most = sound / (s->flow->peak ? s->flow->peak(s->width, s->height) : 1.0);
    if (!(u >= least && u < most))
        fail(EXIT_USAGE,
             "speed %g makes no sense: it must be from %.6g to below %.6g, where the fastest speed of %s "
             "at %dx%d cells is that of sound",
             u, least, most, s->flow->name, s->width, s->height);
    s->u = u;
    s->mach = u / most;
}

/**
 * Refuses a relaxation time that Reals can't tell from 1/2, where nothing is viscous, or from infinity, where
 * nothing relaxes: around 1/2 they are epsilon / 2 apart, and f (1 - 1 / tau) must not be f.
 */
static void check_tau(double tau, double re)
{
    const double least = 0.5 * epsilon, most = 1.0 / epsilon; // of tau - 1/2, of tau
    char given[64] = "";
    if (re != 0.0)
        snprintf(given, sizeof given, "Reynolds number %g makes ", re);
    if (!(tau - 0.5 >= least && tau <= most))
        fail(EXIT_USAGE, "%stau %.9g: tau - 0.5 is %.6g, and must be from %.6g to %.9g", given, tau,
             tau - 0.5, least, most);
}

/** Fixes size, speed, viscosity and relaxation time. */
static void set_parameters(Scenario *s, Parameters p)
{
    const Parameters *defaults = &s->flow->defaults;
    s->width = p.width ? p.width : defaults->width;
    s->height = p.height ? p.height : defaults->height;
    if (s->width < s->flow->min_width || s->height < s->flow->min_height)
        fail(EXIT_USAGE, "size %dx%d is too small for %s: it takes at least %dx%d cells, walls included",
             s->width, s->height, s->flow->name, s->flow->min_width, s->flow->min_height);
    if (cell_count(s) > most_cells)
        fail(EXIT_USAGE, "size %dx%d is too large: a grid holds at most %zu cells", s->width, s->height,
             most_cells);

    set_speed(s, p.u != 0.0 ? p.u : defaults->u);
    set_bodies(s, &p.bodies);
    if (p.re != 0.0 && p.tau != 0.0)
        fail(EXIT_USAGE, "Reynolds number %g and tau %g exclude each other: give one of them", p.re, p.tau);
    if (p.re == 0.0 && p.tau == 0.0) {
        p.re = defaults->re;
        p.tau = defaults->tau;
    }
    s->length = s->flow->length ? s->flow->length(s->width, s->height) : highest_body(&s->bodies);
    s->tau = p.re != 0.0 ? 0.5 + 3.0 * s->u * s->length / p.re : p.tau;
    check_tau(s->tau, p.re);
    s->nu = (s->tau - 0.5) / 3.0;
    s->re = s->u * s->length / s->nu;
}

Scenario fix_scenario(const Flow *flow, Parameters parameters)
{
    Scenario s = {.flow = flow};
    set_parameters(&s, parameters);
    s.physics.width = s.width;
    s.physics.height = s.height;
    s.physics.omega = (Real)(1.0 / s.tau);
    if (flow->drive)
        flow->drive(&s);
    return s;
}

Scenario create_scenario(const Flow *flow, Parameters parameters)
{
    Scenario s = fix_scenario(flow, parameters);
    free(allocate(DIRECTIONS * cell_count(&s) * sizeof(Real))); // no time for what won't fit
    s.type = allocate(cell_count(&s));
    cell_rows(&s, 0, s.height, s.type);
    return s;
}

void destroy_scenario(Scenario *s)
{
    free(s->type);
    s->type = NULL;
}

int row_in_grid(int y, int height)
{
    return (y % height + height) % height;
}

/** What leaves a body for an outflow beside it comes from the outflow itself, which then swings for ever. */
static void close_outflow(int width, Cell *row)
{
    if (width > 1 && row[width - 1] == OUTFLOW && is_wall(row[width - 2]))
        row[width - 1] = OPEN;
}

void cell_rows(const Scenario *s, int first, int count, Cell *type)
{
    for (int n = 0; n < count; n++, type += s->width) {
        const int y = row_in_grid(first + n, s->height);
        for (int x = 0; x < s->width; x++)
            type[x] = s->flow->cell(s, x, y);
        if (s->flow->body)
            place_bodies(&s->bodies, s->width, y, type);
        close_outflow(s->width, type);
    }
}

/** What cell (x, y) begins with, in equilibrium. */
static void start_cell(const Scenario *s, int x, int y, Real *f)
{
    const Moments rest = {1.0f, 0.0f, 0.0f}, m = s->flow->start ? s->flow->start(s, x, y) : rest;
    for (int i = 0; i < DIRECTIONS; i++)
        f[i] = equilibrium(i, m.rho - 1.0f, m.ux, m.uy);
}

void population_rows(const Scenario *s, int first, int count, const Cell *type, Real *f)
{
    const size_t bytes = DIRECTIONS * sizeof *f;
    for (int n = 0; n < count; n++) {
        const int y = row_in_grid(first + n, s->height);
        const Real *given = s->start.f;
        if (given)
            given += DIRECTIONS * (size_t)row_in_grid(y - s->start.first, s->height) * s->width;
        for (int x = 0; x < s->width; x++, type++, f += DIRECTIONS)
            if (is_wall(*type))
                memset(f, 0, bytes);
            else if (given)
                memcpy(f, given + DIRECTIONS * x, bytes);
            else
                start_cell(s, x, y, f);
    }
}

void initial_populations(const Scenario *s, Real *f)
{
    population_rows(s, 0, s->height, s->type, f);
}
