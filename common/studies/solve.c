#include "studies/solve.h"

#include "host/allocate.h"
#include "simulation/simulation.h"
#include "studies/accuracy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INTERVALS = 200 };

Snapshot snapshot_after(const Stage *stage, const Scenario *s, Block block, long steps)
{
    Snapshot r = create_snapshot(s);
    Simulation *solver = begin_simulation(stage, s, block);
    advance_simulation(solver, steps);
    read_snapshot(&r, solver);
    end_simulation(solver);
    return r;
}

Snapshot steady_snapshot(const Stage *stage, const Scenario *s, Block block, long interval, double bound,
                         double *changed)
{
    const size_t bytes = cell_count(s) * sizeof(Moments);
    Snapshot r = create_snapshot(s);
    Moments *previous = allocate(bytes);
    Simulation *solver = begin_simulation(stage, s, block);
    *changed = HUGE_VAL;
    read_snapshot(&r, solver);
    while (*changed > bound && r.step < MOST_INTERVALS * interval) {
        memcpy(previous, r.moments, bytes);
        advance_simulation(solver, interval);
        read_snapshot(&r, solver);
        *changed = relative_change(&r, previous);
    }
    end_simulation(solver);
    free(previous);
    return r;
}

double viscosity_error(const Stage *stage, const Scenario *s, Block block, int first, int steps)
{
    Snapshot r = create_snapshot(s);
    Simulation *solver = begin_simulation(stage, s, block);
    advance_simulation(solver, first);
    read_snapshot(&r, solver);
    const double before = exact_share(&r);
    advance_simulation(solver, steps);
    read_snapshot(&r, solver);
    const double after = exact_share(&r);
    end_simulation(solver);
    destroy_snapshot(&r);
    return -log(after / before) * s->flow->duration(s) / steps;
}
