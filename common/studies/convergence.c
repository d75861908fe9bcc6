#include "studies/convergence.h"

#include "host/fail.h"
#include "studies/accuracy.h"
#include "studies/cavity.h"
#include "studies/past_bodies.h"
#include "studies/solve.h"

#include <math.h>

/* ---- The studies ---- */

/** At this tau the walls slip by 13 / (3 rows^2), which is more than what rounding does to the force. */
static Parameters channel_of(int rows)
{
    return (Parameters){.width = 4, .height = rows + 2, .tau = 1.5, .u = 1.6 / rows};
}

static Parameters cavity_of(int side)
{
    return (Parameters){.width = side + 2, .height = side + 2, .re = 100.0, .u = 3.2 / side};
}

static Parameters vortices_of(int side)
{
    return (Parameters){.width = side, .height = side, .tau = 0.8, .u = 1.28 / side};
}

static Parameters cylinder_of(int diameter)
{
    const int height = (int)lround(4.1 * diameter);
    return (Parameters){.width = 22 * diameter + 2, .height = height + 2, .re = 20.0, .u = 0.5 / diameter};
}

static Parameters duct_of(int rows)
{
    return (Parameters){.width = 4, .height = rows + 2, .depth = rows + 2, .tau = 0.9330127, .u = 0.8 / rows};
}

static Parameters beltrami_of(int side)
{
    return (Parameters){.width = side, .height = side, .depth = side, .tau = 0.8, .u = 0.6 / side};
}

/** One layer of it, which is the plane cavity. */
static Parameters cube_of(int side)
{
    Parameters parameters = cavity_of(side);
    parameters.depth = 1;
    return parameters;
}

static Parameters sphere_of(int diameter)
{
    return (Parameters){.width = 10 * diameter,
                        .height = 6 * diameter,
                        .depth = 6 * diameter,
                        .re = 100.0,
                        .u = 0.8 / diameter};
}

static double ghia_u_deviation(const Snapshot *r)
{
    return ghia_deviation(r, 'u');
}

static double ghia_v_deviation(const Snapshot *r)
{
    return ghia_deviation(r, 'v');
}

static long whole_duration(const Scenario *s)
{
    return lround(s->flow->duration(s));
}

static long twelve_diameters(const Scenario *s)
{
    return lround(12.0 * s->length / s->u);
}

static long thirty_diameters(const Scenario *s)
{
    return lround(30.0 * s->length / s->u);
}

static const Quantity of_channel[] = {
    {"velocity",   "u against the parabola, L2", exact_error},
    {0},
};

static const Quantity of_cavity[] = {
    {"extrema",          "extrema of u and v against Marchi et al.", extrema_deviation},
    {"ghia_u", "u against Ghia et al., max", ghia_u_deviation},
    {"ghia_v",           "v against Ghia et al., max", ghia_v_deviation},
    {0 },
};

static const Quantity of_vortices[] = {
    {"velocity",   "u against the solution, L2", exact_error},
    {"pressure", "pressure against the solution, L2", pressure_error},
    {0  },
};

static const Quantity of_cylinder[] = {
    {"drag",          "drag against Schaefer & Turek", drag_deviation},
    {"lift", "lift against theirs", lift_deviation},
    {"pressure",          "pressure difference against theirs", pressure_deviation},
    {0},
};

static const Quantity of_duct[] = {
    {"velocity",   "u against the series, L2", exact_error},
    {0},
};

static const Quantity of_sphere[] = {
    {"drag",                 "drag against Clift, Grace & Weber", sphere_drag_deviation},
    {0},
};

const Study studies[] = {
    {"poiseuille",       "rows of fluid",      of_channel,  channel_of,  NULL,             1,  4,  {8, 16, 32, 64}  },
    {"cavity",           "fluid cells a side", of_cavity,   cavity_of,   NULL,             1,  8,  {16, 32, 64}     },
    {"taylor_green",     "cells a side",       of_vortices, vortices_of, whole_duration,   1,  8,  {16, 32, 64, 128}},
    {"channel_cylinder", "cells a diameter",   of_cylinder, cylinder_of, thirty_diameters, 10, 10, {10, 20}         },
    {"duct",             "rows of fluid",      of_duct,     duct_of,     whole_duration,   1,  4,  {8, 16, 32}      },
    {"abc",              "cells a side",       of_vortices, beltrami_of, whole_duration,   1,  8,  {12, 24, 48}     },
    {"cube",             "fluid cells a side", of_cavity,   cube_of,     NULL,             1,  8,  {16, 32}         },
    {"sphere",           "cells a diameter",   of_sphere,   sphere_of,   twelve_diameters, 1,  3,  {4, 8}           },
};
const int study_count = sizeof studies / sizeof *studies;

int quantity_count(const Study *study)
{
    int count = 0;
    while (study->quantity[count].name)
        count++;
    return count;
}

/* ---- One size ---- */

Scenario study_scenario(const Study *study, int size)
{
    return resolve_scenario(find_flow(study->flow), study->parameters(size));
}

/** The interval is even, as the pressure in a closed box may go up and down from step to step. */
static Snapshot steady(const Stage *stage, const Scenario *s, Block block)
{
    const long interval = 2 * lround(ceil(0.05 * s->length * s->length / s->nu));
    const double bound = 1e-5 + change_by_rounding(stage);
    double changed;
    Snapshot r = steady_snapshot(stage, s, block, interval, bound, &changed);
    char size[SIZE_TEXT];
    if (is_sane(&r) && !(changed <= bound))
        fail(EXIT_CHECK,
             "%s is not steady at %s cells by step %ld: the last %ld changed it by %.3g, not %.3g",
             s->flow->name, describe_size(s, size), r.step, interval, changed, bound);
    return r;
}

Refinement refine(const Study *study, const Stage *stage, Block block, int size)
{
    Scenario s = create_scenario(find_flow(study->flow), study->parameters(size));
    Snapshot r = study->steps ? snapshot_after(stage, &s, block, study->steps(&s)) : steady(stage, &s, block);
    Refinement at = {s.width, s.height, s.depth, "", s.u, s.re, s.tau, r.step, {0}};
    describe_size(&s, at.grid);
    if (!is_sane(&r))
        fail(EXIT_CHECK, "%s diverged at %s cells by step %ld", s.flow->name, at.grid, r.step);
    for (int n = 0; n < quantity_count(study); n++)
        at.error[n] = study->quantity[n].error(&r);
    destroy_snapshot(&r);
    destroy_scenario(&s);
    return at;
}

double order_of_convergence(double coarse_error, double fine_error, int coarse, int fine)
{
    if (!(coarse_error > 0.0 && coarse_error < HUGE_VAL && fine_error > 0.0 && fine_error < HUGE_VAL))
        return NAN;
    return log(coarse_error / fine_error) / log((double)fine / coarse);
}
