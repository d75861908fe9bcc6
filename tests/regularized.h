/**
 * @file regularized.h
 * The regularized collision (Latt & Chopard 2006) on populations, as plain as it can be: what a stage that
 * keeps moments is to agree with.
 */
#ifndef REGULARIZED_H
#define REGULARIZED_H

#include "fake.h"
#include "host/allocate.h"
#include "regularize.h"
#include "stage/stage.h"

#include <stdlib.h>
#include <string.h>

struct Solver {
    const Scenario *scenario;
    Trace trace;
    Real *f, *next;
};

static inline Solver *create_regularized(const Scenario *scenario, Trace trace)
{
    const size_t bytes = population_count(scenario) * sizeof(Real);
    Solver *solver = (Solver *)allocate(sizeof *solver);
    *solver = (Solver){scenario, trace, (Real *)allocate(bytes), (Real *)allocate(bytes)};
    initial_populations(scenario, solver->f);
    return solver;
}

static inline Solver *create_plain(const Scenario *scenario, const CellType *type, Block block)
{
    (void)type, (void)block;
    return create_regularized(scenario, TRACE_AT_OMEGA);
}

static inline Solver *create_cured(const Scenario *scenario, const CellType *type, Block block)
{
    (void)type, (void)block;
    return create_regularized(scenario, TRACE_AT_ONE);
}

static inline void step_regularized(Solver *solver)
{
    regularize_all(solver->scenario, solver->trace, solver->f, solver->next);
    Real *swap = solver->f;
    solver->f = solver->next;
    solver->next = swap;
}

static inline void advance_regularized(Solver *solver, int steps)
{
    for (int n = 0; n < steps; n++)
        step_regularized(solver);
}

static inline void give_regularized(const Solver *solver, Real *f)
{
    memcpy(f, solver->f, population_count(solver->scenario) * sizeof *f);
}

static inline void read_regularized(const Solver *solver, Cells cells, Real *f)
{
    read_some(give_regularized, solver, solver->scenario, cells, f);
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
    .lattice = &d2q9,
    .create = create_plain,
    .write = write_nothing,
    .advance = advance_regularized,
    .read = read_regularized,
    .destroy = destroy_regularized,
};

/** As a stage, with the trace relaxed fully. */
static const Stage cured_form = {
    .name = "cured",
    .lattice = &d2q9,
    .create = create_cured,
    .write = write_nothing,
    .advance = advance_regularized,
    .read = read_regularized,
    .destroy = destroy_regularized,
};

#endif
