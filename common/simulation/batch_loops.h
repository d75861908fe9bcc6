/**
 * @file batch_loops.h
 * The loops of batch.h, for the lattice whose header stands before: kernels behind gpu.h, else loops.
 */
#pragma once

#include "gpu/each.h"
#include "simulation/batch.h"

#include <math.h>

/** The number in the grid of the n-th cell of a batch. */
HOST_DEVICE CellNumber cell_of(const Batch *c, CellNumber n)
{
    return c->cells.list ? c->cells.list[n] : c->cells.first + n;
}

/** Loads the populations of the n-th cell into f[DIRECTIONS]. */
HOST_DEVICE void gather(const Batch *c, CellNumber n, Real *f)
{
    for (int i = 0; i < DIRECTIONS; i++)
        f[i] = c->f[(size_t)c->cells.count * i + n];
}

/** Stores f[DIRECTIONS] as those of the n-th cell; zeros, if it is a wall. */
HOST_DEVICE void scatter(const Batch *c, CellNumber n, const Real *f)
{
    const int solid = is_wall(c->type[cell_of(c, n)]);
    for (int i = 0; i < DIRECTIONS; i++)
        c->f[(size_t)c->cells.count * i + n] = solid ? 0.0f : f[i];
}

/** The solution in a cell of this grid, at its place in the whole one. */
HOST_DEVICE Solved solution_of(const Batch *c, CellNumber cell)
{
    const Physics *const p = &c->constants.physics;
    const size_t cells = (size_t)p->width * p->height * p->depth;
    const size_t whole = ((size_t)c->first_in_whole + cell) % cells, row = whole / p->width;
    const Position at = {(int)(whole % p->width), (int)(row % p->height), (int)(row / p->height)};
    return solve_at(c->solution, &c->constants, c->time, at);
}

/** The n-th cell gets the populations of the solution. */
HOST_DEVICE void start(const Batch *c, CellNumber n)
{
    Real f[DIRECTIONS];
    const Solved flow = solution_of(c, cell_of(c, n));
    const Gradient gradient = gradient_of(&flow);
    set_near_equilibrium(f, moments_of(&flow), &gradient, &c->physics);
    scatter(c, n, f);
}

/** The n-th cell gets what lies side by side. */
HOST_DEVICE void split(const Batch *c, CellNumber n)
{
    scatter(c, n, c->side_by_side + (size_t)DIRECTIONS * n);
}

/** The populations of the n-th cell are laid side by side. */
HOST_DEVICE void join(const Batch *c, CellNumber n)
{
    gather(c, n, c->side_by_side + (size_t)DIRECTIONS * n);
}

/** Density and velocity of a cell, whose populations may change. */
HOST_DEVICE Moments moments_of_cell(const Batch *c, CellNumber cell, CellType type, Real *f)
{
    const int y = (int)(cell / c->physics.width % c->physics.height);
    const Real lid = y == 0 ? -c->lid : c->lid;
    const Moments still = {0.0f, type == MOVING_WALL ? lid : 0.0f, 0.0f, 0.0f};
    if (is_wall(type))
        return still;
    if (is_opening(type)) // populations from beyond the border are unknown
        impose_boundary(f, type, y, &c->physics);
    return moments(f, &c->physics);
}

/** Density and velocity of the n-th cell. */
HOST_DEVICE Moments moments_of_nth(const Batch *c, CellNumber n)
{
    Real f[DIRECTIONS];
    gather(c, n, f);
    return moments_of_cell(c, cell_of(c, n), c->listed ? c->listed[n] : c->type[cell_of(c, n)], f);
}

/** Stores them. */
HOST_DEVICE void find_moments_of(const Batch *c, CellNumber n)
{
    c->moments[n] = moments_of_nth(c, n);
}

/** Makes the n-th partial sum that of no cells. */
HOST_DEVICE void clear(const Batch *c, CellNumber n)
{
    const FlowSums none = {
        0.0, {0.0, 0.0, 0.0},
         0.0, HUGE_VAL, 0.0, 0.0, 0.0
    };
    c->partial[n] = none;
}

/** Adds the square of a difference, and that of the velocity before. */
HOST_DEVICE void add_difference(Real now, Real before, FlowSums *sums)
{
    const double difference = (double)now - before;
    sums->difference += difference * difference;
    sums->square += (double)before * before;
}

/** Adds how much the velocity differs from that of the look before, and keeps it for the next one. */
HOST_DEVICE void add_change(const Batch *c, CellNumber cell, const Real *u, FlowSums *sums)
{
    for (int axis = 0; axis < 3; axis++) {
        Real *const before = c->before + axis * c->grid + cell;
        add_difference(u[axis], *before, sums);
        *before = u[axis];
    }
}

/** Adds how much the velocity differs from the solution. */
HOST_DEVICE void add_error(const Batch *c, CellNumber cell, const Real *u, FlowSums *sums)
{
    const Solved flow = solution_of(c, cell);
    const Moments exact = moments_of(&flow);
    add_difference(u[0], exact.ux, sums);
    add_difference(u[1], exact.uy, sums);
    add_difference(u[2], exact.uz, sums);
}

/** Adds the n-th cell, unless it is a wall. */
HOST_DEVICE void add_cell(const Batch *c, CellNumber n, int errors, FlowSums *sums)
{
    const CellNumber cell = cell_of(c, n);
    if (is_wall(c->type[cell]))
        return;
    Real f[DIRECTIONS];
    gather(c, n, f);
    double mass = 1.0;
    for (int i = 0; i < DIRECTIONS; i++)
        mass += f[i];
    const Moments m = moments_of_cell(c, cell, c->type[cell], f);
    const Real u[3] = {m.ux, m.uy, m.uz};
    const double rho = 1.0 + m.drho;
    sums->mass += mass;
    for (int axis = 0; axis < 3; axis++) {
        sums->momentum[axis] += rho * u[axis];
        sums->energy += 0.5 * rho * u[axis] * u[axis];
    }
    sums->least_density = sums->least_density < rho ? sums->least_density : rho;
    if (!(rho > 0.0 && isfinite(rho) && isfinite(m.ux) && isfinite(m.uy) && isfinite(m.uz)))
        sums->insane += 1.0;
    if (errors)
        add_error(c, cell, u, sums);
    else if (c->before)
        add_change(c, cell, u, sums);
}

/** The sums have the same bits in every run: each has its cells, in the order of their numbers. */
HOST_DEVICE void add_cells(const Batch *c, CellNumber n, int errors)
{
    FlowSums sums = c->partial[(c->cells.first + n) % ADDERS];
    for (CellNumber k = n; k < c->cells.count; k += ADDERS)
        add_cell(c, k, errors, &sums);
    c->partial[(c->cells.first + n) % ADDERS] = sums;
}

/** Adds to the n-th partial sum its cells of the batch. */
HOST_DEVICE void add(const Batch *c, CellNumber n)
{
    add_cells(c, n, 0);
}

/** The same, with how much they differ from the solution. */
HOST_DEVICE void add_errors(const Batch *c, CellNumber n)
{
    add_cells(c, n, 1);
}

/** Adds up the sums n, n + stride, ... */
HOST_DEVICE void fold(const Fold *f, CellNumber n)
{
    FlowSums total = f->sums[n];
    for (CellNumber k = n + f->stride; k < f->count; k += f->stride) {
        const FlowSums *const more = &f->sums[k];
        total.mass += more->mass;
        for (int axis = 0; axis < 3; axis++)
            total.momentum[axis] += more->momentum[axis];
        total.energy += more->energy;
        total.least_density =
            total.least_density < more->least_density ? total.least_density : more->least_density;
        total.insane += more->insane;
        total.difference += more->difference;
        total.square += more->square;
    }
    f->total[n] = total;
}

/** Adds up a part of a sample: every SAMPLERS-th link, inflow cell and probe. */
HOST_DEVICE void add_sample(const Sampled *s, CellNumber n)
{
    const CellNumber first = n % SAMPLERS, sample = n / SAMPLERS;
    Batch c = s->batch;
    c.f += (size_t)sample * DIRECTIONS * c.cells.count;
    double sums[FORCE_NUMBERS] = {0.0, 0.0, 0.0, 0.0};
    for (CellNumber k = first; k < s->links; k += SAMPLERS) {
        const SampledLink link = s->link[k];
        const double twice = -2.0 * c.f[link.place];
        sums[0] += twice * link.ex;
        sums[1] += twice * link.ey;
        sums[2] += twice * link.ez;
    }
    for (CellNumber k = s->inflow + first; k < s->probes; k += SAMPLERS)
        sums[3] += 1.0 + moments_of_nth(&c, k).drho;
    for (int k = 0; k < FORCE_NUMBERS; k++)
        s->partial[(size_t)FORCE_NUMBERS * n + k] = sums[k];
    for (CellNumber k = s->probes + first; k < c.cells.count; k += SAMPLERS) {
        double *const velocity = s->rows + (size_t)sample * s->row + FORCE_NUMBERS + 3 * (k - s->probes);
        const Moments m = moments_of_nth(&c, k);
        velocity[0] = m.ux;
        velocity[1] = m.uy;
        velocity[2] = m.uz;
    }
}

/** Adds up the parts of one number of a sample. */
HOST_DEVICE void fold_sample(const Sampled *s, CellNumber n)
{
    const CellNumber sample = n / FORCE_NUMBERS, k = n % FORCE_NUMBERS;
    double sum = 0.0;
    for (int part = 0; part < SAMPLERS; part++)
        sum += s->partial[((size_t)sample * SAMPLERS + part) * FORCE_NUMBERS + k];
    s->rows[(size_t)sample * s->row + k] = sum;
}

EACH(start, Batch)
EACH(split, Batch)
EACH(join, Batch)
EACH(find_moments_of, Batch)
EACH(add, Batch)
EACH(add_errors, Batch)
EACH(clear, Batch)
EACH(fold, Fold)
EACH(add_sample, Sampled)
EACH(fold_sample, Sampled)

/** What the file defines. */
#define BATCH_LOOPS                                                                                          \
    {                                                                                                        \
        start_each, split_each, join_each, find_moments_of_each, add_each, add_errors_each, clear_each,      \
            fold_each, add_sample_each, fold_sample_each                                                     \
    }
