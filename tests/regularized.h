/**
 * @file regularized.h
 * The regularized collision (Latt & Chopard 2006) on populations, as plain as it can be: what a stage that
 * keeps moments is to agree with.
 */
#ifndef REGULARIZED_H
#define REGULARIZED_H

#include "allocate.h"
#include "stage.h"

#include <stdlib.h>
#include <string.h>

/** How the trace of the stress relaxes. */
typedef enum {
    TRACE_AT_OMEGA, /**< like the rest of the stress, which is the form of the source */
    TRACE_AT_ONE    /**< fully, in every step */
} Trace;

struct Solver {
    const Scenario *scenario;
    Trace trace;
    Real *f, *next;
};

static inline Solver *create_regularized(const Scenario *scenario, Trace trace)
{
    const size_t bytes = DIRECTIONS * cell_count(scenario) * sizeof(Real);
    Solver *solver = (Solver *)allocate(sizeof *solver);
    *solver = (Solver){scenario, trace, (Real *)allocate(bytes), (Real *)allocate(bytes)};
    initial_populations(scenario, solver->f);
    return solver;
}

static inline Solver *create_plain(const Scenario *scenario, Block block)
{
    (void)block;
    return create_regularized(scenario, TRACE_AT_OMEGA);
}

static inline Solver *create_cured(const Scenario *scenario, Block block)
{
    (void)block;
    return create_regularized(scenario, TRACE_AT_ONE);
}

/**
 * Collides the populations of a fluid cell: of what is not in equilibrium the stress remains, relaxed, and
 * nothing else: f* = feq + 9/2 w_i (e_i e_i - I/3) : stress + 3 w_i (e_i . F).
 */
static inline void regularize(Real *f, const Physics *physics, Trace trace)
{
    const Moments m = {1.0f + sum(f), momentum_x(f) / (1.0f + sum(f)), momentum_y(f) / (1.0f + sum(f))};
    Real balance[DIRECTIONS], xx = 0.0f, yy = 0.0f, xy = 0.0f;
    for (int i = 0; i < DIRECTIONS; i++) {
        balance[i] = equilibrium(i, m.rho - 1.0f, m.ux, m.uy);
        const Real other = f[i] - balance[i];
        xx += (Real)(ex(i) * ex(i)) * other;
        yy += (Real)(ey(i) * ey(i)) * other;
        xy += (Real)(ex(i) * ey(i)) * other;
    }
    const Real keep = 1.0f - physics->omega;
    const Real half_trace = 0.5f * (xx + yy) * (trace == TRACE_AT_ONE ? 0.0f : keep);
    const Real half_difference = 0.5f * (xx - yy) * keep;
    for (int i = 0; i < DIRECTIONS; i++) {
        const Real third = (Real)1 / 3;
        const Real stress = ((Real)(ex(i) * ex(i)) - third) * (half_trace + half_difference) +
                            ((Real)(ey(i) * ey(i)) - third) * (half_trace - half_difference) +
                            (Real)(2 * ex(i) * ey(i)) * xy * keep;
        f[i] = balance[i] + 4.5f * weight(i) * stress +
               3.0f * weight(i) * dot(i, physics->force_x, physics->force_y);
    }
}

static inline void step_regularized(Solver *solver)
{
    const Scenario *s = solver->scenario;
    for (size_t cell = 0; cell < cell_count(s); cell++) {
        if (is_wall(s->type[cell]))
            continue;
        const int x = (int)(cell % (size_t)s->width), y = (int)(cell / (size_t)s->width);
        Real f[DIRECTIONS];
        memcpy(f, solver->f + DIRECTIONS * cell, sizeof f);
        if (s->type[cell] == FLUID)
            regularize(f, &s->physics, solver->trace);
        else
            prescribe(f, s->type[cell], y, &s->physics);
        for (int i = 0; i < DIRECTIONS; i++) {
            const Landing landing = boundary(&s->physics, s->type, x, y, i);
            solver->next[DIRECTIONS * (size_t)landing.cell + (size_t)landing.direction] = f[i] + landing.gain;
        }
    }
    Real *swap = solver->f;
    solver->f = solver->next;
    solver->next = swap;
}

static inline void advance_regularized(Solver *solver, int steps)
{
    for (int n = 0; n < steps; n++)
        step_regularized(solver);
}

static inline void read_regularized(const Solver *solver, Real *f)
{
    memcpy(f, solver->f, DIRECTIONS * cell_count(solver->scenario) * sizeof *f);
}

static inline void destroy_regularized(Solver *solver)
{
    free(solver->f);
    free(solver->next);
    free(solver);
}

/** As a stage, with the trace relaxed at omega. */
static const Stage plain_form = {
    .name = "plain",
    .create = create_plain,
    .advance = advance_regularized,
    .read = read_regularized,
    .destroy = destroy_regularized,
};

/** As a stage, with the trace relaxed fully. */
static const Stage cured_form = {
    .name = "cured",
    .create = create_cured,
    .advance = advance_regularized,
    .read = read_regularized,
    .destroy = destroy_regularized,
};

#endif
