#include "result/snapshot.h"

#include "host/allocate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

Snapshot create_fields(const Scenario *s)
{
    return (Snapshot){.scenario = s,
                      .moments = reserve(cell_count(s) * sizeof(Moments)),
                      .nodes = node_bytes(s) ? allocate(node_bytes(s)) : NULL};
}

Snapshot create_snapshot(const Scenario *s)
{
    Snapshot r = create_fields(s);
    r.f = allocate(population_count(s) * sizeof *r.f);
    return r;
}

Snapshot initial_snapshot(const Scenario *s)
{
    Snapshot r = create_snapshot(s);
    initial_populations(s, r.f);
    find_moments(&r);
    if (r.nodes)
        memcpy(r.nodes, s->membrane.position, node_bytes(s));
    return r;
}

void destroy_snapshot(Snapshot *r)
{
    free(r->f);
    free(r->moments);
    free(r->nodes);
    r->f = NULL;
    r->moments = NULL;
    r->nodes = NULL;
}

static void find_moments_of(Snapshot *r, size_t cell)
{
    const Scenario *s = r->scenario;
    const Lattice *lattice = s->flow->lattice;
    const size_t directions = (size_t)lattice->directions;
    const int y = position_of(s, cell).y;
    const Moments rest = {0.0f, 0.0f, 0.0f, 0.0f}, lid = {0.0f, (Real)(y == 0 ? -s->u : s->u), 0.0f, 0.0f};
    const CellType type = s->type[cell];
    Real f[MOST_DIRECTIONS];
    memcpy(f, r->f + directions * cell, directions * sizeof *f);
    if (is_opening(type)) // populations from beyond the border are unknown
        lattice->impose_boundary(f, type, y, &s->physics);
    r->moments[cell] = type == MOVING_WALL ? lid : is_wall(type) ? rest : lattice->moments(f, &s->physics);
}

void find_moments(Snapshot *r)
{
    const size_t cells = cell_count(r->scenario);
#pragma omp parallel for schedule(static) if (cells >= PARALLEL_CELLS)
    for (size_t cell = 0; cell < cells; cell++)
        find_moments_of(r, cell);
}

Moments moments_at(const Snapshot *r, int x, int y)
{
    return r->moments[(size_t)y * r->scenario->width + x];
}

double total_mass(const Snapshot *r)
{
    const size_t directions = (size_t)directions_of(r->scenario);
    double mass = 0.0;
    for (size_t cell = 0; cell < cell_count(r->scenario); cell++)
        if (!is_wall(r->scenario->type[cell])) {
            mass += 1.0;
            for (size_t i = 0; i < directions; i++)
                mass += r->f[directions * cell + i];
        }
    return mass;
}

int is_sane(const Snapshot *r)
{
    for (size_t cell = 0; cell < cell_count(r->scenario); cell++) {
        const Moments *m = &r->moments[cell];
        if (!(m->drho > -1.0f && isfinite(m->drho) && isfinite(m->ux) && isfinite(m->uy) && isfinite(m->uz)))
            return 0;
    }
    return 1;
}
