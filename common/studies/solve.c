#include "studies/solve.h"

#include "host/allocate.h"
#include "simulation/simulation.h"
#include "studies/accuracy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INTERVALS = 200 };

Result result_after(const Stage *stage, const Scenario *s, Block block, long steps)
{
    Result r = create_result(s);
    Simulation *solver = begin_simulation(stage, s, block);
    advance_simulation(solver, steps);
    read_result(&r, solver);
    end_simulation(solver);
    return r;
}

Result steady_result(const Stage *stage, const Scenario *s, Block block, long interval, double bound,
                     double *changed)
{
    const size_t bytes = cell_count(s) * sizeof(Moments);
    Result r = create_result(s);
    Moments *previous = allocate(bytes);
    Simulation *solver = begin_simulation(stage, s, block);
    *changed = HUGE_VAL;
    read_result(&r, solver);
    while (*changed > bound && r.step < MOST_INTERVALS * interval) {
        memcpy(previous, r.moments, bytes);
        advance_simulation(solver, interval);
        read_result(&r, solver);
        *changed = relative_change(&r, previous);
    }
    end_simulation(solver);
    free(previous);
    return r;
}

double viscosity_error(const Stage *stage, const Scenario *s, Block block, int first, int steps)
{
    Result r = create_result(s);
    Simulation *solver = begin_simulation(stage, s, block);
    advance_simulation(solver, first);
    read_result(&r, solver);
    const double before = exact_share(&r);
    advance_simulation(solver, steps);
    read_result(&r, solver);
    const double after = exact_share(&r);
    end_simulation(solver);
    destroy_result(&r);
    return -log(after / before) * s->flow->duration(s) / steps;
}
