/**
 * @file run_flow.h
 * What tests of stages share: run a flow in a stage, compare two results.
 */
#ifndef RUN_FLOW_H
#define RUN_FLOW_H

#include "gpu/device.h"
#include "host/allocate.h"
#include "simulation/simulation.h"
#include "stage/stages.h"
#include "stage/unsupported.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const Block small_block = {32, 8};

/** How far two stages go that are compared. All are multiples of every stage's cycle. */
enum {
#ifdef __SANITIZE_ADDRESS__ // a wrong address shows at once
    SOME_STEPS = 40,
    MANY_STEPS = 40
#else
    SOME_STEPS = 100,
    MANY_STEPS = 500
#endif
};

/** Whether a stage takes a scenario; tests leave out those that don't. Each takes odd_grid (stages.c). */
static inline int takes(const Stage *stage, const Scenario *s)
{
    return takes_flow(stage, s->flow) && !stage_reason(stage, s->width, s->height);
}

#if defined STAGE && !defined EXERCISE // which has a main of its own, and need not define a stage
/** Skips the tests of a stage that this device can't run; stages.c looks at whether that is true. */
__attribute__((weak)) void before_tests(void); // as in check.h
void before_tests(void)
{
    const char *reason = device_reason(&STAGE);
    if (reason) {
        printf("skipped: %s\n", reason);
        exit(77); // SKIPPED of check.h
    }
}
#endif

/** A small grid with odd sides, for any flow. */
static inline Parameters odd_grid(const Flow *flow)
{
    if (flow->lattice->dimensions == 2)
        return (Parameters){.width = 37, .height = 53, .tau = 0.6};
    if (flow->is_cube)
        return (Parameters){.width = 13, .height = 13, .depth = 13, .tau = 0.6};
    if (has_membrane(flow))
        return (Parameters){.width = 13, .height = 21, .depth = 13, .tau = 0.6};
    return (Parameters){.width = flow->body ? 23 : 13, .height = 9, .depth = 13, .tau = 0.6};
}

/** The fastest stage here in single precision, of those that agree with the first one and take any grid. */
static inline const Stage *fast_stage(void)
{
    int n = 0;
    for (int k = 0; k < stage_count; k++)
        if (stage_info[k].on_gpu == !gpu_is_emulated && stage_info[k].reference == 0 &&
            !stages[k]->unsupported && stages[k]->epsilon == stages[0]->epsilon)
            n = k;
    return stages[n];
}

/** What a stage reads back `steps` after the start of a flow; the caller destroys it. */
static inline Snapshot run_flow(const Stage *stage, const Scenario *scenario, Block block, int steps)
{
    Snapshot r = create_snapshot(scenario);
    Simulation *solver = begin_simulation(stage, scenario, block);
    advance_simulation(solver, steps);
    read_snapshot(&r, solver);
    end_simulation(solver);
    return r;
}

/** Outflow cells and all others. An outflow cell makes velocity of what rounding leaves in its density. */
enum { IN_FLUID = 1, IN_OUTFLOW = 2 };

/** Largest difference of the velocities in such cells, over the reference speed; NaN if a density or a
 * velocity of either is no finite number. */
static inline double velocity_difference_in(const Snapshot *r, const Snapshot *other, int cells)
{
    const Scenario *s = r->scenario;
    double largest = 0.0;
    for (size_t cell = 0; cell < cell_count(s); cell++) {
        const Moments a = r->moments[cell], b = other->moments[cell];
        if (!(cells & (s->type[cell] == OUTFLOW ? IN_OUTFLOW : IN_FLUID)))
            continue;
        if (!isfinite(a.drho + a.ux + a.uy + a.uz + b.drho + b.ux + b.uy + b.uz))
            return NAN;
        const double most = fmax(fabs(a.ux - b.ux), fmax(fabs(a.uy - b.uy), fabs(a.uz - b.uz)));
        largest = fmax(largest, most / s->u);
    }
    return largest;
}

static inline double velocity_difference(const Snapshot *r, const Snapshot *other)
{
    return velocity_difference_in(r, other, IN_FLUID | IN_OUTFLOW);
}

/** Number of populations whose bits differ, +0 and -0 apart; NaN differs from everything. */
static inline size_t different_bits(const Snapshot *r, const Snapshot *other)
{
    size_t count = 0;
    for (size_t n = 0; n < population_count(r->scenario); n++)
        count += !(r->f[n] == other->f[n]);
    return count;
}

/** Number of populations whose bits differ between two stages, in all flows that both take, after whole and broken cycles.
 */
static inline size_t bits_apart(const Stage *stage, const Stage *other)
{
    size_t all = 0;
    for (int k = 0; k < flow_count; k++) {
        if (!takes_flow(stage, &flows[k]) || !takes_flow(other, &flows[k]))
            continue;
        Scenario s = create_scenario(&flows[k], odd_grid(&flows[k]));
        for (int steps = SOME_STEPS; steps < SOME_STEPS + stage->cycle; steps++) {
            Snapshot r = run_flow(stage, &s, small_block, steps),
                     expected = run_flow(other, &s, small_block, steps);
            const size_t count = different_bits(&r, &expected);
            if (count > 0)
                printf("%s: %zu populations differ from %s's after %d steps\n", flows[k].name, count,
                       other->name, steps);
            all += count;
            destroy_snapshot(&r);
            destroy_snapshot(&expected);
        }
        destroy_scenario(&s);
    }
    return all;
}

/** Largest difference of two stages after many steps in a cavity, over the lid's speed. */
static inline double cavity_difference(const Stage *stage, const Stage *other)
{
    Scenario s = create_scenario(find_flow("cavity"), (Parameters){.width = 130, .height = 66, .tau = 0.6});
    Snapshot r = run_flow(stage, &s, small_block, MANY_STEPS + 1),
             expected = run_flow(other, &s, small_block, MANY_STEPS + 1);
    const double difference = velocity_difference(&r, &expected);
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    destroy_scenario(&s);
    return difference;
}

/**
 * How far a stage may be from the reference, in velocity over reference speed. Independent roundings of what
 * is stored add up as a random walk, epsilon sqrt(steps), in the one as in the other.
 */
static inline double allowed_difference(const Stage *stage, int steps)
{
    return 2.0 * stage->epsilon * sqrt(steps);
}

static inline int has_outflow(const Scenario *s)
{
    for (size_t cell = 0; cell < cell_count(s); cell++)
        if (s->type[cell] == OUTFLOW)
            return 1;
    return 0;
}

/**
 * Whether a stage's result is that of a reference but for rounding. Where cells are outflow, they hand their
 * error on: 00, 02 with multiplications and additions fused, and 12 are up to 5.2 epsilon sqrt(steps) from
 * the same flow in double precision (`bodies`, 250 to 16000 steps), and up to 10.7 in outflow cells, with the
 * most after 500 to 1000 steps; two that differ may be twice as far apart.
 */
static inline int agree(const Stage *stage, const Snapshot *r, const Snapshot *reference, int steps)
{
    const double allowed = allowed_difference(stage, steps);
    const int open = has_outflow(r->scenario);
    return velocity_difference_in(r, reference, IN_FLUID) <= (open ? 5.2 : 1.0) * allowed &&
           velocity_difference_in(r, reference, IN_OUTFLOW) <= 10.7 * allowed;
}

/** Whether a stage's flow is that of another but for rounding. */
static inline int agree_on(const Stage *stage, const Stage *other, const Scenario *s, int steps)
{
    Snapshot r = run_flow(stage, s, small_block, steps), expected = run_flow(other, s, small_block, steps);
    const int is = agree(stage, &r, &expected, steps);
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    return is;
}

/** What a stage itself reads after so many steps, whoever has made them. */
static inline void read_now(const Stage *stage, const Simulation *simulation, long steps, Snapshot *r)
{
    const Memory *memory = memory_of(simulation);
    const size_t cells = cell_count(r->scenario), directions = (size_t)directions_of(r->scenario),
                 bytes = directions * cells * sizeof *r->f;
    Real *f = (Real *)allocate(bytes), *there = (Real *)memory->allocate(bytes);
    stage->read(solver_of(simulation), (Cells){(CellNumber)cells, 0, NULL}, there);
    memory->fetch(f, there, bytes);
    for (size_t n = 0; n < directions * cells; n++)
        r->f[n] = f[n % directions * cells + n / directions];
    find_moments(r);
    r->step = steps;
    memory->release(there);
    free(f);
}

/** The cell to which a population of a cell moves, where nothing is in its way. */
static inline size_t cell_after(const Scenario *s, size_t cell, int direction)
{
    const Lattice *const lattice = s->flow->lattice;
    const Position at = position_of(s, cell);
    return cell_at(s, (Position){wrap(at.x + lattice->e(direction, 0), s->width),
                                 wrap(at.y + lattice->e(direction, 1), s->height),
                                 wrap(at.z + lattice->e(direction, 2), s->depth)});
}

/** Whether the first step moves each population of a start in equilibrium to its neighbour. A start in which
 * any two cells or populations change places does not pass. */
static inline int moves_its_start(const Stage *stage)
{
    const Flow *vortices = find_flow(stage->lattice->dimensions == 2 ? "taylor_green" : "abc");
    Scenario s = create_scenario(vortices, odd_grid(vortices));
    const size_t directions = (size_t)directions_of(&s);
    Snapshot start = initial_snapshot(&s);
    for (size_t cell = 0; cell < cell_count(&s); cell++)
        stage->lattice->equilibrium(start.f + directions * cell, start.moments[cell]);
    s.start = (Start){.f = start.f};
    Snapshot r = run_flow(stage, &s, small_block, 1);
    double largest = 0.0;
    for (size_t n = 0; n < population_count(&s); n++) {
        const size_t to = cell_after(&s, n / directions, (int)(n % directions));
        largest = fmax(largest, fabs(r.f[directions * to + n % directions] - start.f[n]));
    }
    const Real *const some = start.f + directions * cell_at(&s, (Position){3, 5, 0});
    const int differ = fabs(some[1] - some[directions + 1]) > 1e-5 && fabs(some[1] - some[2]) > 1e-5;
    destroy_snapshot(&r);
    destroy_snapshot(&start);
    destroy_scenario(&s);
    return differ && largest <= 1e-6 + 0.01 * stage->epsilon;
}

/** The result after these numbers of steps, advanced one after the other; the caller destroys it. */
static inline Snapshot run_flow_cut(const Stage *stage, const Scenario *s, const int *parts, int count)
{
    int steps = 0;
    Snapshot r = create_snapshot(s);
    Simulation *solver = begin_simulation(stage, s, small_block);
    for (int part = 0; part < count; steps += parts[part++])
        advance_simulation(solver, parts[part]);
    read_snapshot(&r, solver);
    end_simulation(solver);
    return r;
}

#endif
