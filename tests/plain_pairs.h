/**
 * @file plain_pairs.h
 * Two grids, push streaming and the collision in pairs, as plainly as possible: what stages must equal bit
 * for bit that do the same operations elsewhere.
 */
#ifndef PLAIN_PAIRS_H
#define PLAIN_PAIRS_H

#include "run_flow.h"

#include "host/allocate.h"
#include "lattice/pairs.h"

#include <stdlib.h>
#include <string.h>

/** The flow after so many steps; the caller destroys it. */
static inline Snapshot run_plain_pairs(const Scenario *s, int steps)
{
    const size_t bytes = 9 * cell_count(s) * sizeof(float);
    float *now = (float *)allocate(bytes), *next = (float *)allocate(bytes); // [height][width][9]
    initial_populations(s, now);
    memset(next, 0, bytes);
    for (int n = 0; n < steps; n++) {
        for (size_t cell = 0; cell < cell_count(s); cell++) {
            const int x = cell % s->width, y = cell / s->width;
            float *f = now + 9 * cell;
            if (is_wall(s->type[cell]))
                continue;
            collide_in_pairs(f, s->type[cell], y, &s->physics);
            for (int i = 0; i < 9; i++) {
                const Destination to = boundary(&s->physics, s->type, x, y, i);
                next[9 * (size_t)to.cell + to.direction] = f[i] + to.gain;
            }
        }
        float *const swap = now;
        now = next;
        next = swap;
    }
    Snapshot r = create_snapshot(s);
    r.step = steps;
    memcpy(r.f, now, bytes);
    find_moments(&r);
    free(now);
    free(next);
    return r;
}

/** In how many populations a stage's flows differ from it, in all flows, after some steps and after each of
 * a cycle. */
static inline size_t bits_apart_from_plain_pairs(const Stage *stage)
{
    size_t all = 0;
    for (int k = 0; k < flow_count; k++) {
        if (!takes_flow(stage, &flows[k]))
            continue;
        Scenario s = create_scenario(&flows[k], odd_grid(&flows[k]));
        for (int steps = SOME_STEPS; steps < SOME_STEPS + stage->cycle; steps++) {
            Snapshot r = run_flow(stage, &s, small_block, steps), expected = run_plain_pairs(&s, steps);
            const size_t count = different_bits(&r, &expected);
            if (count > 0)
                printf("%s: %zu populations differ after %d steps\n", flows[k].name, count, steps);
            all += count;
            destroy_snapshot(&r);
            destroy_snapshot(&expected);
        }
        destroy_scenario(&s);
    }
    return all;
}

#endif
