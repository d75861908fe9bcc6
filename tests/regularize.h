/**
 * @file regularize.h
 * The regularized collision (Latt & Chopard 2006) on populations, as plain as it can be.
 */
#ifndef REGULARIZE_H
#define REGULARIZE_H

#include "host/allocate.h"
#include "lattice/d2q9.h"
#include "result/snapshot.h"

#include <stdlib.h>
#include <string.h>

/** How the trace of the stress relaxes. */
typedef enum {
    TRACE_AT_OMEGA, /**< like the rest of the stress, which is the form of the source */
    TRACE_AT_ONE    /**< fully, in every step */
} Trace;

/**
 * Collides the populations of a fluid cell: of what is not in equilibrium the stress remains, relaxed, and
 * nothing else: f* = feq + 9/2 w_i (e_i e_i - I/3) : stress + 3 w_i (e_i . F).
 */
static inline void regularize(Real *f, const Physics *physics, Trace trace)
{
    const Moments m = {sum(f), momentum_x(f) / (1.0f + sum(f)), momentum_y(f) / (1.0f + sum(f)), 0.0f};
    Real balance[DIRECTIONS], xx = 0.0f, yy = 0.0f, xy = 0.0f;
    for (int i = 0; i < DIRECTIONS; i++) {
        balance[i] = equilibrium(i, m.drho, m.ux, m.uy);
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
               weight_over_cs2(i) * dot(i, physics->force_x, physics->force_y);
    }
}

/** One step of all cells; what `to` has of solid ones stays. */
static inline void regularize_all(const Scenario *s, Trace trace, const Real *from, Real *to)
{
    for (size_t cell = 0; cell < cell_count(s); cell++) {
        if (is_wall(s->type[cell]))
            continue;
        const int x = (int)(cell % (size_t)s->width), y = (int)(cell / (size_t)s->width);
        Real f[DIRECTIONS];
        memcpy(f, from + DIRECTIONS * cell, sizeof f);
        if (s->type[cell] == FLUID)
            regularize(f, &s->physics, trace);
        else
            impose_boundary(f, s->type[cell], y, &s->physics);
        for (int i = 0; i < DIRECTIONS; i++) {
            const Destination destination = boundary(&s->physics, s->type, x, y, i);
            to[DIRECTIONS * (size_t)destination.cell + (size_t)destination.direction] =
                f[i] + destination.gain;
        }
    }
}

/** What comes out after so many steps from the start of a flow, with the trace relaxed fully; only its
 * populations are set. The caller destroys it. */
static inline Snapshot run_plainly(const Scenario *s, int steps)
{
    Snapshot r = create_snapshot(s);
    Real *next = (Real *)allocate(population_count(s) * sizeof(Real));
    initial_populations(s, r.f);
    for (int n = 0; n < steps; n++) {
        regularize_all(s, TRACE_AT_ONE, r.f, next);
        memcpy(r.f, next, population_count(s) * sizeof(Real));
    }
    free(next);
    return r;
}

#endif
