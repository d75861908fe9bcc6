#include "flow/scenario.h"

#include "flow/solutions.h"

#include "host/allocate.h"
#include "host/fail.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a Real: the distance of 1 to the next one, and the smallest with all its digits. */
static const double epsilon = sizeof(Real) == sizeof(float) ? FLT_EPSILON : DBL_EPSILON;
static const double smallest_real = sizeof(Real) == sizeof(float) ? FLT_MIN : DBL_MIN;

/** Bending modulus over shear modulus and squared radius. A membrane without it wrinkles where it is compressed. */
static const double bending_of_shear = 1e-3;

/** What keeps a membrane's volume, of a fluid with this viscosity: at most three times the bulk modulus of the
 * fluid. With less of it the volume drifts; with more the membrane is unstable. */
static double volume_stiffness(double nu)
{
    return fmin(3.0 * nu, 1.0);
}

size_t cell_count(const Scenario *s)
{
    return (size_t)s->width * (size_t)s->height * (size_t)s->depth;
}

int directions_of(const Scenario *s)
{
    return s->flow->lattice->directions;
}

size_t population_count(const Scenario *s)
{
    return (size_t)directions_of(s) * cell_count(s);
}

size_t node_bytes(const Scenario *s)
{
    return 3 * (size_t)s->membrane.nodes * sizeof *s->membrane.position;
}

static int is_plane(const Flow *flow)
{
    return flow->lattice->dimensions == 2;
}

int is_in_space(const Scenario *s)
{
    return !is_plane(s->flow);
}

static void print_size(char text[SIZE_TEXT], const Flow *flow, int width, int height, int depth)
{
    if (is_plane(flow) && depth <= 1)
        snprintf(text, SIZE_TEXT, "%dx%d", width, height);
    else
        snprintf(text, SIZE_TEXT, "%dx%dx%d", width, height, depth);
}

const char *describe_size(const Scenario *s, char text[SIZE_TEXT])
{
    print_size(text, s->flow, s->width, s->height, s->depth);
    return text;
}

void describe(const Scenario *s, char text[DESCRIPTION_SIZE])
{
    char size[SIZE_TEXT];
    const int used = snprintf(text, DESCRIPTION_SIZE, "%s, %s cells, Re %.9g, tau %.9g, u %.9g",
                              s->flow->name, describe_size(s, size), s->re, s->tau, s->u);
    if (has_membrane(s->flow))
        snprintf(text + used, (size_t)(DESCRIPTION_SIZE - used), ", Ca %.9g, %ld capsule%s", s->ca,
                 s->capsules, s->capsules > 1 ? "s" : "");
}

static void require_fluid(const Scenario *s)
{
    CellType *layer = allocate(cells_of_layer(s));
    int found = 0;
    for (int n = 0; n < layer_count(s) && !found; n++) {
        cell_layers(s, n, 1, layer);
        for (size_t cell = 0; cell < cells_of_layer(s) && !found; cell++)
            found = layer[cell] == FLUID;
    }
    free(layer);
    if (found)
        return;
    char size[SIZE_TEXT];
    describe_size(s, size);
    fail(EXIT_USAGE, "%s leaves no fluid in a grid of %s cells: take more of them%s", s->flow->name, size,
         s->flow->body ? ", or smaller bodies" : "");
}

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
        fail(EXIT_USAGE, "%s takes no mask; bodies does", s->flow->name);
    s->bodies = *given;
    const Position grid = {s->width, s->height, s->depth};
    char remedy[160] = "";
    if (s->flow->body && given->count == 0 && !given->mask.dark) {
        const Parameters *defaults = &s->flow->defaults;
        char size[SIZE_TEXT], usual[SIZE_TEXT];
        describe_size(s, size);
        print_size(usual, s->flow, defaults->width, defaults->height, defaults->depth);
        s->bodies.body[s->bodies.count++] = s->flow->body(grid);
        snprintf(remedy, sizeof remedy, "; it is the flow's own at %s cells: take a size such as %s%s", size,
                 usual, most > 0 ? ", or give a body" : "");
    }
    if (s->flow->body)
        check_bodies(&s->bodies, grid, remedy);
    require_fluid(s);
}

double least_speed(void)
{
    return sqrt(smallest_real);
}

double relaxation_time(double u, double length, double re)
{
    return 0.5 + 3.0 * u * length / re;
}

/** The speed of a flow at which its fastest one is that of sound. */
static double sonic_speed(const Flow *flow, int width, int height)
{
    return sqrt(1.0 / 3.0) / (flow->peak ? flow->peak(width, height) : 1.0);
}

/* Whether a flow takes a size, a speed, a relaxation time; if not, they say why. */

static int takes_size(const Flow *flow, int width, int height, int depth, char *reason)
{
    const size_t layer = (size_t)width * (size_t)height;
    char size[SIZE_TEXT], least[SIZE_TEXT];
    print_size(size, flow, width, height, depth);
    print_size(least, flow, flow->least.x, flow->least.y, flow->least.z);
    if (is_plane(flow) && depth != 1)
        snprintf(reason, REASON_SIZE, "size %s has a depth, but %s is plane: it takes WxH", size, flow->name);
    else if (width < flow->least.x || height < flow->least.y || depth < flow->least.z)
        snprintf(reason, REASON_SIZE,
                 "size %s is too small for %s: it takes at least %s cells, walls included", size, flow->name,
                 least);
    else if (flow->is_cube && (height != width || depth != width))
        snprintf(reason, REASON_SIZE, "size %s is no cube, and %s takes one: W, or WxWxW", size, flow->name);
    else if (layer > most_cells || layer * (size_t)depth > most_cells)
        snprintf(reason, REASON_SIZE, "size %s is too large: a grid holds at most %zu cells", size,
                 most_cells);
    else
        return 1;
    return 0;
}

/** The square of the speed is in equilibria and in coefficients of forces. */
static int takes_speed(const Flow *flow, int width, int height, double u, char *reason)
{
    const double least = least_speed(), most = sonic_speed(flow, width, height);
    if (u >= least && u < most)
        return 1;
    snprintf(reason, REASON_SIZE,
             "speed %g makes no sense: it must be from %.12g to below %.6g, where the fastest speed of %s at "
             "%dx%d cells is that of sound",
             u, least, most, flow->name, width, height);
    return 0;
}

/**
 * Reals can't tell some relaxation times from 1/2, where nothing is viscous, or from infinity, where nothing
 * relaxes: around 1/2 they are epsilon / 2 apart, and f (1 - 1 / tau) must not be f.
 */
static int takes_tau(double tau, double re, char *reason)
{
    const double least = 0.5 * epsilon, most = 1.0 / epsilon; // of tau - 1/2, of tau
    char given[64] = "";
    if (tau - 0.5 >= least && tau <= most)
        return 1;
    if (re != 0.0)
        snprintf(given, sizeof given, "Reynolds number %g makes ", re);
    snprintf(reason, REASON_SIZE, "%stau %.9g: tau - 0.5 is %.6g, and must be from %.9g to %.9g", given, tau,
             tau - 0.5, least, most);
    return 0;
}

/** Fills in the sides that are not given. In space a width alone is that of a cube. */
static void complete_size(const Flow *flow, Parameters *p)
{
    const Parameters *defaults = &flow->defaults;
    const int side = is_plane(flow) ? 0 : p->width;
    if (!p->height)
        p->height = side ? side : defaults->height;
    if (!p->depth)
        p->depth = is_plane(flow) ? 1 : side ? side : defaults->depth;
    if (!p->width)
        p->width = defaults->width;
}

int can_run(const Flow *flow, Parameters p, char reason[REASON_SIZE])
{
    complete_size(flow, &p);
    return takes_size(flow, p.width, p.height, p.depth, reason) &&
           takes_speed(flow, p.width, p.height, p.u, reason) &&
           takes_tau(relaxation_time(p.u, flow->length(p.width, p.height), p.re), p.re, reason);
}

static void require(int is_taken, const char *reason)
{
    if (!is_taken)
        fail(EXIT_USAGE, "%s", reason);
}

static void set_parameters(Scenario *s, Parameters p)
{
    const Parameters *defaults = &s->flow->defaults;
    char reason[REASON_SIZE];
    complete_size(s->flow, &p);
    s->width = s->physics.width = p.width;
    s->height = s->physics.height = p.height;
    s->depth = s->physics.depth = p.depth;
    require(takes_size(s->flow, s->width, s->height, s->depth, reason), reason);
    s->u = p.u != 0.0 ? p.u : defaults->u;
    require(takes_speed(s->flow, s->width, s->height, s->u, reason), reason);
    s->mach = s->u / sonic_speed(s->flow, s->width, s->height);

    set_bodies(s, &p.bodies);
    if (p.re != 0.0 && p.tau != 0.0)
        fail(EXIT_USAGE, "Reynolds number %g and tau %g exclude each other: give one of them", p.re, p.tau);
    if (p.re == 0.0 && p.tau == 0.0) {
        p.re = defaults->re;
        p.tau = defaults->tau;
    }
    s->length = s->flow->length ? s->flow->length(s->width, s->height) : highest_body(&s->bodies);
    s->tau = p.re != 0.0 ? relaxation_time(s->u, s->length, p.re) : p.tau;
    require(takes_tau(s->tau, p.re, reason), reason);
    s->nu = (s->tau - 0.5) / 3.0;
    s->re = s->u * s->length / s->nu;
}

/** Divides the box between the walls into equal places for as many capsules, as cubic as they can be. Returns how
 * many there are, at least one a capsule, and sets their numbers along x, y and z. */
static double find_places(const Scenario *s, int count[3])
{
    const int side[3] = {s->width, s->height - 2, s->depth};
    double places = 0.0;
    for (double pitch = fmax(side[0], fmax(side[1], side[2])); places < (double)s->capsules; pitch *= 0.99) {
        for (int axis = 0; axis < 3; axis++)
            count[axis] = (int)fmax(1.0, side[axis] / pitch);
        places = (double)count[0] * count[1] * count[2];
    }
    return places;
}

/** A sphere must leave some fluid around itself. */
static void check_capsules(const Scenario *s)
{
    const int least = (int)ceil(2.0 * s->length) + 2;
    int count[3];
    char size[SIZE_TEXT];
    find_places(s, count);
    if (s->width >= least * count[0] && s->height - 2 >= least * count[1] && s->depth >= least * count[2])
        return;
    fail(
        EXIT_USAGE,
        "size %s has no room for %d x %d x %d capsules of radius %g, which follows from the height: each takes %d "
        "cells a side",
        describe_size(s, size), count[0], count[1], count[2], s->length, least);
}

/** Puts the capsules into places that are spread over the box. */
static void create_capsules(Scenario *s)
{
    const double middle[3] = {0.5 * (s->width - 1), 0.5 * (s->height - 1), 0.5 * (s->depth - 1)};
    const double axes[3] = {s->length, s->length, s->length};
    const int side[3] = {s->width, s->height - 2, s->depth};
    int count[3];
    const long places = (long)find_places(s, count);
    double *shift[3];
    for (int axis = 0; axis < 3; axis++)
        shift[axis] = allocate((size_t)s->capsules * sizeof(double));
    for (long n = 0; n < s->capsules; n++) {
        long place = n * places / s->capsules;
        for (int axis = 0; axis < 3; axis++) {
            shift[axis][n] = ((place % count[axis] + 0.5) / count[axis] - 0.5) * side[axis];
            place /= count[axis];
        }
    }
    s->membrane =
        repeat_membrane(create_ellipsoid(middle, axes, refinement_of(s->length)), (int)s->capsules, shift);
    for (int axis = 0; axis < 3; axis++)
        free(shift[axis]);
}

/** Ca fixes the shear modulus. */
static void set_membrane(Scenario *s, double ca, long capsules)
{
    if (!has_membrane(s->flow) && ca != 0.0)
        fail(EXIT_USAGE, "%s has no membrane, and so no capillary number %g; the flow \"capsule\" has one",
             s->flow->name, ca);
    if (!has_membrane(s->flow) && capsules != 0)
        fail(EXIT_USAGE, "%s has no membrane, and so no %ld capsules; the flow \"capsule\" has them",
             s->flow->name, capsules);
    if (!has_membrane(s->flow))
        return;
    s->capsules = capsules != 0 ? capsules : 1;
    check_capsules(s);
    s->ca = ca != 0.0 ? ca : s->flow->defaults.ca;
    const double shear = s->nu * shear_rate(s) * s->length / s->ca;
    if (!(shear >= smallest_real && shear <= 1.0))
        fail(
            EXIT_USAGE,
            "capillary number %g makes no sense: the shear modulus of the membrane is %g then, and must be from %g "
            "to 1",
            s->ca, shear, smallest_real);
    s->stiffness = (Stiffness){.shear = (Real)shear,
                               .bending = (Real)(bending_of_shear * shear * s->length * s->length),
                               .volume = (Real)volume_stiffness(s->nu)};
}

Scenario resolve_scenario(const Flow *flow, Parameters parameters)
{
    Scenario s = {.flow = flow};
    set_parameters(&s, parameters);
    s.physics.omega = (Real)(1.0 / s.tau);
    set_membrane(&s, parameters.ca, parameters.capsules);
    if (flow->drive)
        flow->drive(&s);
    return s;
}

void create_cells(Scenario *s)
{
    s->type = allocate(cell_count(s));
    cell_layers(s, 0, layer_count(s), s->type);
    if (has_membrane(s->flow))
        create_capsules(s);
}

Scenario create_scenario(const Flow *flow, Parameters parameters)
{
    Scenario s = resolve_scenario(flow, parameters);
    create_cells(&s);
    return s;
}

void destroy_scenario(Scenario *s)
{
    free(s->type);
    s->type = NULL;
    destroy_membrane(&s->membrane);
}

Position position_of(const Scenario *s, size_t cell)
{
    const size_t row = cell / (size_t)s->width;
    return (Position){(int)(cell % (size_t)s->width), (int)(row % (size_t)s->height),
                      (int)(row / (size_t)s->height)};
}

size_t cell_at(const Scenario *s, Position at)
{
    return ((size_t)at.z * (size_t)s->height + (size_t)at.y) * (size_t)s->width + (size_t)at.x;
}

int side_of(const Scenario *s, int axis)
{
    return axis == 0 ? s->width : axis == 1 ? s->height : s->depth;
}

int layer_count(const Scenario *s)
{
    return is_plane(s->flow) ? s->height : s->depth;
}

int rows_of_layer(const Scenario *s)
{
    return is_plane(s->flow) ? 1 : s->height;
}

size_t cells_of_layer(const Scenario *s)
{
    return (size_t)rows_of_layer(s) * (size_t)s->width;
}

int layer_in_grid(const Scenario *s, int n)
{
    const int count = layer_count(s);
    return (n % count + count) % count;
}

/** What leaves a body for an outflow beside it comes from the outflow itself, which then swings for ever. */
static void close_outflow(int width, CellType *row)
{
    if (width > 1 && row[width - 1] == OUTFLOW && is_wall(row[width - 2]))
        row[width - 1] = OPEN;
}

/** Writes the types of the row that begins at a position. */
static void cell_row(const Scenario *s, Position at, CellType *type)
{
    for (; at.x < s->width; at.x++)
        type[at.x] = s->flow->cell(s, at);
    if (s->flow->body)
        place_bodies(&s->bodies, s->width, at, type);
    close_outflow(s->width, type);
}

/** The same of a row of layers that begin with `first`; `type` is that of the layers. */
static void types_of_row(const Scenario *s, int first, size_t row, CellType *type)
{
    const size_t rows = (size_t)rows_of_layer(s);
    const size_t in_grid = (size_t)layer_in_grid(s, first + (int)(row / rows)) * rows + row % rows;
    cell_row(s, position_of(s, in_grid * (size_t)s->width), type + row * (size_t)s->width);
}

void cell_layers(const Scenario *s, int first, int count, CellType *type)
{
    const size_t rows = (size_t)count * (size_t)rows_of_layer(s);
#pragma omp parallel for schedule(static) if (rows * (size_t)s->width >= PARALLEL_CELLS)
    for (size_t row = 0; row < rows; row++)
        types_of_row(s, first, row, type);
}

static Solved solved_at(const Scenario *s, Solution solution, double t, Position at)
{
    const Constants c = {s->physics, s->u, s->nu};
    return solve_at(solution, &c, t, at);
}

Moments start_at(const Scenario *s, Position at, Gradient *gradient)
{
    const Solved flow = solved_at(s, s->flow->start, 0.0, at);
    if (gradient)
        *gradient = gradient_of(&flow);
    return moments_of(&flow);
}

Moments exact_at(const Scenario *s, double t, Position at)
{
    const Solved flow = solved_at(s, s->flow->exact, t, at);
    return moments_of(&flow);
}

void initial_populations(const Scenario *s, Real *f)
{
    const size_t cells = cell_count(s), directions = (size_t)directions_of(s), bytes = directions * sizeof *f;
#pragma omp parallel for schedule(static) if (cells >= PARALLEL_CELLS)
    for (size_t cell = 0; cell < cells; cell++) {
        Real *const of_cell = f + directions * cell;
        if (is_wall(s->type[cell]))
            memset(of_cell, 0, bytes);
        else if (s->start.f)
            memcpy(of_cell, s->start.f + directions * cell, bytes);
        else {
            Gradient gradient;
            const Moments m = start_at(s, position_of(s, cell), &gradient);
            s->flow->lattice->near_equilibrium(of_cell, m, &gradient, &s->physics);
        }
    }
}
