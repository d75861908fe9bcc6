// Prints the record of what rounding takes, in 32 and in 16 bits: steady channel flow, over the height of the
// channel and over the state it starts from; and vortices that decay, over their size.
#include "host/allocate.h"
#include "simulation/simulation.h"
#include "stage/stages.h"
#include "studies/accuracy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/** The populations of a multiple of the solution; the caller frees them. */
static Real *multiple_of_solution(const Scenario *s, double factor)
{
    Real *f = allocate(population_count(s) * sizeof *f);
    for (size_t cell = 0; cell < cell_count(s); cell++) {
        Moments m = exact_at(s, 0.0, position_of(s, cell));
        m.ux *= (float)factor;
        s->flow->lattice->equilibrium(f + directions_of(s) * cell, m);
    }
    return f;
}

/** What the stage makes of it in so many steps; the caller destroys it. */
static Snapshot solve(const Stage *stage, const Scenario *s, int steps)
{
    Snapshot r = create_snapshot(s);
    Simulation *solver = begin_simulation(stage, s, (Block){4, 4});
    advance_simulation(solver, steps);
    read_snapshot(&r, solver);
    end_simulation(solver);
    return r;
}

/** The flow through the column x = 0 over the exact one; where that runs to the left, its sign is turned. */
static double carried(const Snapshot *r)
{
    const Scenario *s = r->scenario;
    double flow = 0.0, exact = 0.0;
    for (int y = 0; y < s->height; y++) {
        if (is_wall(s->type[(size_t)y * s->width]))
            continue;
        const double expected = exact_at(s, (double)r->step, (Position){0, y, 0}).ux;
        flow += copysign(1.0, expected) * moments_at(r, 0, y).ux;
        exact += fabs(expected);
    }
    return flow / exact;
}

static void print_row(const Stage *stage, const Scenario *s, double from, int times, double ratio)
{
    const int steps = times * (int)s->flow->duration(s);
    Snapshot r = solve(stage, s, steps);
    printf("%s,%s,%d,%g,%g,%d,%d,%.3e,%.4f,%.3e\n", s->flow->name, stage->name, s->height, s->u, from, times,
           steps, exact_error(&r), carried(&r), stage->epsilon * ratio);
    destroy_snapshot(&r);
}

/** A stage in a channel of that height and peak speed, started from a multiple of the solution. */
static void print_channel(const Stage *stage, int height, double u, double from, int times)
{
    const Parameters parameters = {.width = 4, .height = height, .tau = 0.9330127, .u = u};
    Scenario s = create_scenario(find_flow("poiseuille"), parameters);
    Real *start = multiple_of_solution(&s, from);
    s.start.f = start;
    print_row(stage, &s, from, times, s.length * s.length / (8.0 * s.nu));
    free(start);
    destroy_scenario(&s);
}

/** A stage with vortices of that size, until 1/e of their speed is left. */
static void print_vortices(const Stage *stage, int size)
{
    Scenario s = create_scenario(find_flow("taylor_green"), (Parameters){.width = size, .height = size});
    print_row(stage, &s, 1.0, 1, s.flow->duration(&s));
    destroy_scenario(&s);
}

int main(void)
{
    const char *names[] = {"03_aa", "04_aa_fp16s"};
    printf(
        "# build/stagnation, CPU backend\n"
        "# poiseuille: 4 cells wide, tau 0.9330127; taylor_green: square, tau 0.8, until 1/e is left\n"
        "# u: peak speed; start: the flow at step 0 over the solution; error: relative L2\n"
        "# times: 1 for twelve times the time in which the slowest deviation falls to 1/e, 2 for twice that\n"
        "# flux: the flow over that of the solution, along the column x = 0\n"
        "# ratio: epsilon over what a step adds, or takes, of the flow: epsilon H^2 / (8 nu) with H = "
        "height - 2,\n"
        "# and epsilon / (2 nu k^2) with k = 2 pi / height\n"
        "flow,stage,height,u,start,times,steps,error,flux,ratio\n");
    for (int n = 0; n < 2; n++) {
        for (int height = 10; height <= 130; height = 2 * height - 2)
            print_channel(parse_stage(names[n]), height, 0.05, 0.0, 1);
        for (double from = 0.5; from <= 2.0; from *= 2.0)
            print_channel(parse_stage(names[n]), 66, 0.05, from, 1);
        print_channel(parse_stage(names[n]), 66, 0.0125, 0.0, 1);
        for (double from = 0.0; from <= 2.0; from += 2.0)
            print_channel(parse_stage(names[n]), 66, 0.05, from, 2);
        for (int size = 32; size <= 256; size *= 2)
            print_vortices(parse_stage(names[n]), size);
    }
    return 0;
}
