#include "studies/solve.h"

#include "host/allocate.h"
#include "studies/accuracy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_AT_A_TIME = 1000, MOST_INTERVALS = 200 };

static void advance(const Stage *stage, Solver *solver, long steps)
{
    for (long done = 0; done < steps; done += MOST_AT_A_TIME)
        stage->advance(solver, steps - done < MOST_AT_A_TIME ? (int)(steps - done) : MOST_AT_A_TIME);
}

Result result_after(const Stage *stage, const Scenario *s, Block block, long steps)
{
    Result r = create_result(s);
    Solver *solver = stage->create(s, block);
    advance(stage, solver, steps);
    read_result(&r, stage, solver, steps);
    stage->destroy(solver);
    return r;
}

Result steady_result(const Stage *stage, const Scenario *s, Block block, long interval, double bound,
                     double *changed)
{
    const size_t bytes = cell_count(s) * sizeof(Moments);
    Result r = create_result(s);
    Moments *previous = allocate(bytes);
    Solver *solver = stage->create(s, block);
    *changed = HUGE_VAL;
    read_result(&r, stage, solver, 0);
    while (*changed > bound && r.step < MOST_INTERVALS * interval) {
        memcpy(previous, r.moments, bytes);
        advance(stage, solver, interval);
        read_result(&r, stage, solver, r.step + interval);
        *changed = relative_change(&r, previous);
    }
    stage->destroy(solver);
    free(previous);
    return r;
}

double viscosity_error(const Stage *stage, const Scenario *s, Block block, int first, int steps)
{
    Result r = create_result(s);
    Solver *solver = stage->create(s, block);
    advance(stage, solver, first);
    read_result(&r, stage, solver, first);
    const double before = exact_share(&r);
    advance(stage, solver, steps);
    read_result(&r, stage, solver, first + steps);
    const double after = exact_share(&r);
    stage->destroy(solver);
    destroy_result(&r);
    return -log(after / before) * s->flow->duration(s) / steps;
}
