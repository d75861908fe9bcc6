/**
 * @file regularize_in_space.h
 * The regularized collision (Latt & Chopard 2006) on the populations of D3Q19, as plain as it can be, with
 * the trace of the stress relaxed fully.
 */
#ifndef REGULARIZE_IN_SPACE_H
#define REGULARIZE_IN_SPACE_H

#include "host/allocate.h"
#include "lattice/d3q19.h"
#include "result/snapshot.h"

#include <stdlib.h>
#include <string.h>

/**
 * Collides the populations of a fluid cell: of what is not in equilibrium the stress without its trace
 * remains, relaxed, and nothing else: f* = feq + 9/2 w_i e_i e_i : stress + 3 w_i (e_i . F).
 */
static inline void regularize_in_space(Real *f, const Physics *physics)
{
    const Real drho = sum(f), rho = 1.0f + drho;
    const Real u[3] = {momentum_x(f) / rho, momentum_y(f) / rho, momentum_z(f) / rho};
    Real balance[DIRECTIONS], stress[3][3] = {{0.0f}};
    for (int i = 0; i < DIRECTIONS; i++) {
        const int e[3] = {ex(i), ey(i), ez(i)};
        balance[i] = equilibrium(i, drho, u[0], u[1], u[2]);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                stress[a][b] += (Real)(e[a] * e[b]) * (f[i] - balance[i]);
    }
    const Real third = (stress[0][0] + stress[1][1] + stress[2][2]) / 3.0f;
    for (int a = 0; a < 3; a++)
        stress[a][a] -= third;
    for (int i = 0; i < DIRECTIONS; i++) {
        const int e[3] = {ex(i), ey(i), ez(i)};
        Real along = 0.0f;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                along += (Real)(e[a] * e[b]) * stress[a][b];
        f[i] = balance[i] + 4.5f * weight(i) * (1.0f - physics->omega) * along +
               weight_over_cs2(i) * dot(i, physics->force_x, physics->force_y, physics->force_z);
    }
}

/** One step of all cells; the populations of solid ones in `to` stay. */
static inline void regularize_all_in_space(const Scenario *s, const Real *from, Real *to)
{
    for (size_t cell = 0; cell < cell_count(s); cell++) {
        if (is_wall(s->type[cell]))
            continue;
        const Position at = position_of(s, cell);
        Real f[DIRECTIONS];
        memcpy(f, from + DIRECTIONS * cell, sizeof f);
        if (s->type[cell] == FLUID)
            regularize_in_space(f, &s->physics);
        else
            impose_boundary(f, s->type[cell], at.y, &s->physics);
        for (int i = 0; i < DIRECTIONS; i++) {
            const Destination to_cell = boundary(&s->physics, s->type, at.x, at.y, at.z, i);
            to[DIRECTIONS * (size_t)to_cell.cell + (size_t)to_cell.direction] = f[i] + to_cell.gain;
        }
    }
}

/** The populations after so many steps from the start of a flow; the caller destroys the result. */
static inline Snapshot run_regularized_in_space(const Scenario *s, int steps)
{
    Snapshot r = create_snapshot(s);
    r.step = steps;
    Real *next = (Real *)allocate(population_count(s) * sizeof(Real));
    initial_populations(s, r.f);
    for (int n = 0; n < steps; n++) {
        memset(next, 0, population_count(s) * sizeof(Real));
        regularize_all_in_space(s, r.f, next);
        memcpy(r.f, next, population_count(s) * sizeof(Real));
    }
    find_moments(&r);
    free(next);
    return r;
}

#endif
