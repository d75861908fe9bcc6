/**
 * @file read_and_write.h
 * Stands in a solver behind its functions `get` and `put`, which know one cell, and makes of them `read` and
 * `write` of the contract (stage.h): kernels on the GPU, loops on the CPU.
 *
 *     get(const Solver *solver, const Site *site, Real *f)  populations of a cell before the collision, now;
 *                                                           no wall's
 *     put(Solver *solver, const Site *site, Real *f)        sets them before the first step
 *
 * Both may use what `solver` points to where the state lives. It has the members `scenario` and `type`.
 */
#pragma once

#include "gpu/each.h"
#include "stage/stage.h"

/** What a loop over cells is given. */
typedef struct {
    Solver solver;
    Physics physics;
    const CellType *type;
    Cells cells;
    Real *f; // [DIRECTIONS][cells.count]
} Sites;

/** The n-th cell. */
HOST_DEVICE Site find_site(const Sites *a, CellNumber n)
{
    const Physics *const p = &a->physics;
    const CellNumber cell = a->cells.list ? a->cells.list[n] : a->cells.first + n, row = cell / p->width;
    const Site site = {p,
                       a->type,
                       (size_t)p->width * p->height * p->depth,
                       cell,
                       (int)(cell % p->width),
                       (int)(row % p->height),
                       (int)(row / p->height)};
    return site;
}

/** Reads the n-th cell; a wall has zeros. */
HOST_DEVICE void read_site(const Sites *a, CellNumber n)
{
    const Site site = find_site(a, n);
    const int solid = is_wall(a->type[site.cell]);
    Real f[DIRECTIONS];
    if (!solid)
        get(&a->solver, &site, f);
    for (int i = 0; i < DIRECTIONS; i++)
        a->f[(size_t)a->cells.count * i + n] = solid ? 0.0f : f[i];
}

/** Writes the n-th cell. */
HOST_DEVICE void write_site(Sites *a, CellNumber n)
{
    const Site site = find_site(a, n);
    Real f[DIRECTIONS];
    for (int i = 0; i < DIRECTIONS; i++)
        f[i] = a->f[(size_t)a->cells.count * i + n];
    put(&a->solver, &site, f);
}

EACH(read_site, Sites)
EACH(write_site, Sites)

/** Stage.read. */
static void read(const Solver *solver, Cells cells, Real *f)
{
    const Sites sites = {*solver, solver->scenario->physics, solver->type, cells, f};
    read_site_each(sites, cells.count);
}

/** Stage.write. */
static void write(Solver *solver, Cells cells, const Real *f)
{
    const Sites sites = {*solver, solver->scenario->physics, solver->type, cells, (Real *)f};
    write_site_each(sites, cells.count);
}
