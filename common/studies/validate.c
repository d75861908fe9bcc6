#include "studies/validate.h"

#include "gpu/device.h"
#include "host/allocate.h"
#include "host/process_pool.h"
#include "host/standard_output.h"
#include "ranks/ranks.h"
#include "result/forces.h"
#include "stage/unsupported.h"
#include "studies/accuracy.h"
#include "studies/cavity.h"
#include "studies/past_bodies.h"
#include "studies/solve.h"
#include "studies/vortices.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** What came out so far. */
typedef struct {
    int checked, failed; /**< rows */
    int left_out;        /**< grids */
} Tally;

/** One stage on its way through the flows. */
typedef struct {
    const Stage *stage, *quick;
    Block block;
    Tally tally;
    int is_trial; /**< whether grids are only counted, and not computed */
    int taken;    /**< grids so far that the stage takes */
} Validation;

/** Creates the scenario of some rows; returns 0, and says why, if the stage refuses the grid. */
static int begin_rows(Validation *v, Scenario *s, const char *flow, Parameters parameters)
{
    if (!takes_flow(v->stage, find_flow(flow)))
        return 0;
    *s = resolve_scenario(find_flow(flow), parameters);
    const char *reason = stage_reason(v->stage, s->width, s->height);
    char size[SIZE_TEXT];
    v->taken += !reason;
    if (v->is_trial)
        return 0;
    if (reason) {
        printf("%-16s %-9s left out: %s\n", flow, describe_size(s, size), reason);
        flush_standard_output();
        v->tally.left_out++;
        return 0;
    }
    create_cells(s);
    return 1;
}

static void end_rows(Scenario *s, Snapshot *r)
{
    destroy_snapshot(r);
    destroy_scenario(s);
}

static void print_row(Validation *v, const Scenario *s, const char *quantity, double error, double bound,
                      const char *note)
{
    char size[SIZE_TEXT];
    describe_size(s, size);
    const int failed = !(error <= bound);
    printf("%-16s %-9s %-34s %9.2e %9.2e  %s%s\n", s->flow->name, size, quantity, error, bound,
           failed ? "FAIL" : "ok", note);
    flush_standard_output();
    v->tally.checked++;
    v->tally.failed += failed;
}

/** The result when so many steps change the velocity by at most `change` and what rounding keeps moving.
 * Prints the row that says whether they do. */
static Snapshot steady_result_of(Validation *v, const Scenario *s, int steps, double change)
{
    const double bound = change + change_by_rounding(v->stage);
    double changed;
    char quantity[64];
    snprintf(quantity, sizeof quantity, "u, change in the last %d steps", steps);
    const Snapshot r = steady_snapshot(v->stage, s, v->block, steps, bound, &changed);
    print_row(v, s, quantity, changed, bound, "");
    return r;
}

/** Rounding makes mass at random, and BGK's equilibrium a little in each step: 5e-12 in a cavity in float. */
static void print_mass_drift(Validation *v, const Snapshot *r)
{
    const double bound = 4.0 * v->stage->epsilon * (1.0 + 1e-5 * (double)r->step);
    Snapshot start = initial_snapshot(r->scenario);
    const double drift = fabs(total_mass(r) / total_mass(&start) - 1.0);
    print_row(v, r->scenario, "mass, relative drift", drift, bound, "");
    destroy_snapshot(&start);
}

/**
 * The most that rounding takes from a channel, relative. To nearest, at the worst all roundings of a stored
 * population go the same way: a cell loses epsilon u of its momentum per step, where the force adds
 * 8 nu u / length^2. The ratio bounds the error; the arithmetic gets half as much again. Unbiased roundings
 * add up as a random walk over the length^2 / (pi^2 nu) steps in which a channel forgets.
 */
static double channel_rounding(const Stage *stage, const Scenario *s)
{
    const double steps = s->length * s->length / s->nu;
    return stage->epsilon * (stage->rounding == STOCHASTIC ? sqrt(steps) / 3.14159265 : 1.5 * steps / 8.0);
}

/** Largest difference of the velocity from that in the first column of its row, over the flow's speed. */
static double unevenness(const Snapshot *r)
{
    double largest = 0.0;
    for (int y = 0; y < r->scenario->height; y++)
        for (int x = 1; x < r->scenario->width; x++) {
            const double difference = fabs((double)moments_at(r, x, y).ux - moments_at(r, 0, y).ux);
            if (isnan(difference))
                return NAN;
            largest = fmax(largest, difference);
        }
    return largest / r->scenario->u;
}

/** Where half-way walls make the parabola exact, what is left is rounding. To nearest it does the same to all
 * columns; stochastic rounding does not. */
static void validate_poiseuille(Validation *v)
{
    const Parameters parameters = {.width = 4, .height = 18, .tau = v->stage->magic_tau};
    Scenario s;
    if (!begin_rows(v, &s, "poiseuille", parameters))
        return;
    Snapshot r = steady_result_of(v, &s, 1000, 1e-7);
    const double bound = channel_rounding(v->stage, &s);
    print_row(v, &s, "u against the parabola, L2", exact_error(&r), bound,
              v->stage->rounding == TO_NEAREST && bound > 0.01 ? " (storage too coarse for so small a force)"
                                                               : "");
    print_row(v, &s, "u, difference along the channel", unevenness(&r),
              v->stage->rounding == TO_NEAREST ? 1e-6 : bound, "");
    print_mass_drift(v, &r);
    end_rows(&s, &r);
}

/**
 * Where the viscosity is small, vortices show whether the momentum grows: in float, if a constant of the
 * collision is too large by half a unit in its last bit, the viscosity is 1e-3 too small here. Discretization
 * leaves -2.6e-4, measured in double precision. Storage in 16 bits moves it by more than the bound.
 */
static void validate_viscosity(Validation *v)
{
    if (v->stage->epsilon > 1e-6)
        return;
    const Parameters parameters = {.width = 128, .height = 128, .tau = 0.51, .u = 0.02};
    Scenario s;
    if (!begin_rows(v, &s, "taylor_green", parameters))
        return;
    const double error = viscosity_error(v->stage, &s, v->block, 200, 500);
    print_row(v, &s, "viscosity at tau 0.51", fabs(error + 2.6e-4), 1e-4, "");
    destroy_scenario(&s);
}

/** The last grid of a flow that was computed: its size, 0 for none, and what came out. */
typedef struct {
    int size;
    double error, viscosity; // the viscosity over nu
} Coarser;

/** By how much the order of convergence is below 2. */
static double lack_of_order(const Coarser *coarser, int size, double error)
{
    return 2.0 - log2(coarser->error / error) / log2((double)size / coarser->size);
}

/** The viscosity, over nu, by which a solution has decayed that falls to 1 / e in so many steps. */
static double viscosity_of(const Snapshot *r, double decay)
{
    return 1.0 - log(exact_share(r)) * decay / (double)r->step;
}

/** How far two sizes together, which cancel the error of second order, are from nu. */
static double extrapolated(const Coarser *coarser, double viscosity)
{
    return fabs((4.0 * viscosity - coarser->viscosity) / 3.0 - 1.0);
}

/**
 * Vortices on n x n cells after about one decay time; speed as 1 / n. Discretization leaves about 1.2 / n^2
 * of the velocity. Independent roundings add up as a random walk, epsilon sqrt(steps) in a cell and 1 / n of
 * that in the mean. The decay shows the viscosity; two sizes together have at most twice the roundings of one.
 */
static void validate_taylor_green(Validation *v)
{
    Coarser coarser = {0};
    for (int n = 16; n <= 64; n *= 2) {
        const Parameters parameters = {.width = n, .height = n, .tau = 0.8, .u = 1.28 / n};
        Scenario s;
        if (!begin_rows(v, &s, "taylor_green", parameters))
            continue;
        const double decay = s.flow->duration(&s), discretization = 1.5 / (n * n);
        Snapshot r = snapshot_after(v->stage, &s, v->block, lround(decay));
        const double rounding = v->stage->epsilon * sqrt((double)r.step);
        const double error = exact_error(&r), viscosity = viscosity_of(&r, decay);
        print_row(v, &s, "u against the solution, L2", error, discretization + rounding, "");
        if (2 * coarser.size == n && rounding < discretization)
            print_row(v, &s, "2 - order of convergence", lack_of_order(&coarser, n, error), 8.0 / n, "");
        if (n == 32 && coarser.size == 16)
            print_row(v, &s, "viscosity, of 16 and 32 together", extrapolated(&coarser, viscosity),
                      150.0 / pow(n, 4) + 2.0 * rounding / n, "");
        coarser = (Coarser){n, error, viscosity};
        end_rows(&s, &r);
    }
    validate_viscosity(v);
}

/** Prints and returns the deviation of a steady cavity from the published extrema. */
static double validate_extrema(Validation *v, const Snapshot *r, double bound)
{
    const double error = extrema_deviation(r);
    char quantity[64];
    snprintf(quantity, sizeof quantity, "extrema of u and v, Re %g", r->scenario->re);
    print_row(v, r->scenario, quantity, error, bound, "");
    return error;
}

/** Ghia's tables are coarser than what the extrema are compared with. */
static void validate_profiles(Validation *v, const Snapshot *r, double bound)
{
    char quantity[64];
    for (const char *line = "uv"; *line; line++) {
        snprintf(quantity, sizeof quantity, "%c against Ghia et al., Re %g, max", *line, r->scenario->re);
        print_row(v, r->scenario, quantity, ghia_deviation(r, *line), bound, "");
    }
}

/** What storage in few bits holds back of a flow that comes to rest: seen to be about 4 epsilon. */
static double held_back(const Stage *stage)
{
    return 5.0 * stage->epsilon;
}

/**
 * A cavity that takes long from rest. All stages begin with the steady state that a quick one comes to from
 * rest, and waves. Steady: `interval` steps change the velocity by at most `settled`.
 */
typedef struct {
    Parameters parameters;
    int interval;
    double settled;
    const Stage *quick; /**< whose start is kept; NULL: none is */
    Scenario scenario;
    Snapshot start;
} LongRun;

static LongRun slow_cavity[] = {
    {.parameters = {.width = 34, .height = 34, .re = 100.0, .u = 0.1},  .interval = 1000, .settled = 1e-4},
    {.parameters = {.width = 66, .height = 66, .re = 100.0, .u = 0.05}, .interval = 1000, .settled = 1e-4}
};

/** Forgets its start to 1 / e in 6000 steps: the steady state is at most three times `settled` away. */
static LongRun fast_cavity = {
    .parameters = {.width = 98, .height = 98, .re = 1000.0},
      .interval = 2000, .settled = 1e-4
};

/** The shear waves of a start, along both axes: their velocity n cells from the border, over their height. */
static double wave(size_t n)
{
    return sin(2.0 * 3.14159265358979 / 6.0 * (double)n); // six cells long
}

/** On a finer grid the steady states of stages differ less. At Re 1000 the waves fall to 1 / e in 95 steps. */
static double wave_height(const Scenario *s)
{
    return 0.13 * s->u / s->length;
}

static void add_waves(const Scenario *s, Real *f)
{
    const Lattice *lattice = s->flow->lattice;
    for (size_t cell = 0; cell < cell_count(s); cell++) {
        const double ux = wave_height(s) * wave(cell / s->width), uy = wave_height(s) * wave(cell % s->width);
        for (int i = 1; i < lattice->directions && !is_wall(s->type[cell]); i++)
            f[lattice->directions * cell + i] +=
                lattice->weight_over_cs2(i) * (Real)(lattice->e(i, 0) * ux + lattice->e(i, 1) * uy);
    }
}

/** How much of the waves is in a result, over what was added to a steady one. */
static double waves_left(const Snapshot *r, const Snapshot *steady)
{
    const Scenario *s = r->scenario;
    double left = 0.0, all = 0.0;
    for (size_t cell = 0; cell < cell_count(s); cell++) {
        const Moments now = r->moments[cell], before = steady->moments[cell];
        const double x = wave(cell / s->width), y = wave(cell % s->width);
        if (is_wall(s->type[cell]))
            continue;
        left += (now.ux - before.ux) * x + (now.uy - before.uy) * y;
        all += x * x + y * y;
    }
    return left / (wave_height(s) * all);
}

static void forget_start(LongRun *run)
{
    if (!run->quick)
        return;
    destroy_snapshot(&run->start);
    destroy_scenario(&run->scenario);
    run->quick = NULL;
}

static void provide_start(LongRun *run, const Stage *quick, Block block)
{
    double changed;
    if (run->quick == quick)
        return;
    forget_start(run);
    run->scenario = create_scenario(find_flow("cavity"), run->parameters);
    run->start = steady_snapshot(quick, &run->scenario, block, run->interval,
                                 run->settled / 10.0 + change_by_rounding(quick), &changed);
    add_waves(&run->scenario, run->start.f);
    run->quick = quick;
}

/** Runs a stage from that start; without a quick one, or if that one went wrong, from rest. */
static Snapshot result_of_long_run(Validation *v, Scenario *s, LongRun *run)
{
    if (v->quick)
        provide_start(run, v->quick, v->block);
    if (!v->quick || !is_sane(&run->start))
        return steady_result_of(v, s, run->interval, run->settled);
    s->start = (Start){.f = run->start.f};
    const Snapshot r = steady_result_of(v, s, run->interval, run->settled);
    print_row(v, s, "waves left of those at the start", fabs(waves_left(&r, &run->start)), 0.1, "");
    return r;
}

/** Discretization leaves about 4 / L^2 at Re 100, compressibility included, as u goes as 1 / L. */
static void validate_slow_cavity(Validation *v)
{
    Coarser coarser = {0};
    for (int length = 16; length <= 64; length *= 2) {
        const double discretization = 5.0 / (length * length), rounding = held_back(v->stage);
        const Parameters parameters = {
            .width = length + 2, .height = length + 2, .re = 100.0, .u = 3.2 / length};
        Scenario s;
        if (!begin_rows(v, &s, "cavity", parameters))
            continue;
        Snapshot r = length == 16 ? steady_result_of(v, &s, 1000, 1e-4)
                                  : result_of_long_run(v, &s, &slow_cavity[length / 64]);
        const double error = validate_extrema(v, &r, discretization + rounding);
        if (2 * coarser.size == length && rounding < discretization)
            print_row(v, &s, "2 - order of convergence", lack_of_order(&coarser, length, error), 0.2, "");
        if (length == 64)
            validate_profiles(v, &r, 0.010);
        print_mass_drift(v, &r);
        coarser = (Coarser){.size = length, .error = error};
        end_rows(&s, &r);
    }
}

/** Settled, about 7 / L^2 is left at Re 1000. */
static void validate_fast_cavity(Validation *v)
{
    Scenario s;
    if (!begin_rows(v, &s, "cavity", fast_cavity.parameters))
        return;
    Snapshot r = result_of_long_run(v, &s, &fast_cavity);
    validate_extrema(v, &r, 10.0 / (s.length * s.length) + held_back(v->stage));
    validate_profiles(v, &r, 0.016);
    print_mass_drift(v, &r);
    end_rows(&s, &r);
}

/** Mean velocity along the channel in column x, over the flow's speed. */
static double flow_rate(const Snapshot *r, int x)
{
    const Scenario *s = r->scenario;
    double sum = 0.0;
    for (int y = 1; y < s->height - 1; y++)
        sum += moments_at(r, x, y).ux;
    return sum / (s->u * (s->height - 2));
}

/**
 * Case 2D-1 of Schaefer & Turek 1996 with D = 10 cells a diameter. The cylinder is a staircase, whose error
 * falls as 1 / D: 0.5 / D of the drag, 0.09 / D of lift, measured at D = 10, 20 and 40. Storage in 16 bits
 * moves the lift by up to 0.011, which is 45 epsilon and 0.2 percent of the drag. As the pressure falls
 * along the channel so does the density, by the square of the Mach number, and the flow gets faster.
 */
static void validate_channel_cylinder(Validation *v)
{
    Scenario s;
    if (!begin_rows(v, &s, "channel_cylinder", (Parameters){.width = 222, .height = 43}))
        return;
    Snapshot r = snapshot_after(v->stage, &s, v->block, 4000);
    print_row(v, &s, "drag against Schaefer & Turek", drag_deviation(&r), 0.7 / s.length, "");
    print_row(v, &s, "lift against theirs", lift_deviation(&r), 0.15 / s.length + 60.0 * v->stage->epsilon,
              "");
    print_row(v, &s, "flow rate half way", fabs(flow_rate(&r, s.width / 2) - 1.0), s.mach * s.mach, "");
    end_rows(&s, &r);
}

/** Discretization leaves 0.23 to 0.26 / L^2 of the profile, with 8, 16 and 32 cells between the walls. */
static void validate_duct(Validation *v)
{
    Coarser coarser = {0};
    for (int length = 8; length <= 16; length *= 2) {
        const Parameters parameters = {.width = 4,
                                       .height = length + 2,
                                       .depth = length + 2,
                                       .tau = v->stage->magic_tau,
                                       .u = 0.8 / length};
        Scenario s;
        if (!begin_rows(v, &s, "duct", parameters))
            continue;
        Snapshot r = snapshot_after(v->stage, &s, v->block, lround(s.flow->duration(&s)));
        const double error = exact_error(&r);
        print_row(v, &s, "u against the series, L2", error,
                  0.3 / (length * length) + channel_rounding(v->stage, &s), "");
        if (2 * coarser.size == length)
            print_row(v, &s, "2 - order of convergence", fabs(lack_of_order(&coarser, length, error)), 0.3,
                      "");
        print_mass_drift(v, &r);
        coarser = (Coarser){.size = length, .error = error};
        end_rows(&s, &r);
    }
}

/** Discretization leaves 2.1 / n^2 of the velocity after one decay time. */
static void validate_abc(Validation *v)
{
    Coarser coarser = {0};
    for (int n = 12; n <= 24; n *= 2) {
        Scenario s;
        if (!begin_rows(v, &s, "abc", (Parameters){.width = n, .tau = 0.8, .u = 0.6 / n}))
            continue;
        const double decay = s.flow->duration(&s);
        Snapshot r = snapshot_after(v->stage, &s, v->block, lround(decay));
        const double error = exact_error(&r), viscosity = viscosity_of(&r, decay);
        print_row(v, &s, "u against the solution, L2", error,
                  2.6 / (n * n) + v->stage->epsilon * sqrt((double)r.step), "");
        if (2 * coarser.size == n) {
            print_row(v, &s, "2 - order of convergence", fabs(lack_of_order(&coarser, n, error)), 0.1, "");
            print_row(v, &s, "viscosity, of 12 and 24 together", extrapolated(&coarser, viscosity),
                      40.0 / pow(n, 4), "");
        }
        print_mass_drift(v, &r);
        coarser = (Coarser){n, error, viscosity};
        end_rows(&s, &r);
    }
}

/** Square cavities of one layer at Re 100: the same errors as in the plane. */
static void validate_layer_of_cube(Validation *v)
{
    Coarser coarser = {0};
    for (int length = 16; length <= 20; length += 4) {
        const Parameters parameters = {
            .width = length + 2, .height = length + 2, .depth = 1, .re = 100.0, .u = 3.2 / length};
        Scenario s;
        if (!begin_rows(v, &s, "cube", parameters))
            continue;
        Snapshot r = steady_result_of(v, &s, 1000, 1e-4);
        const double error = validate_extrema(v, &r, 5.0 / (length * length) + held_back(v->stage));
        if (coarser.size)
            print_row(v, &s, "2 - order of convergence", lack_of_order(&coarser, length, error), 0.2, "");
        coarser = (Coarser){.size = length, .error = error};
        end_rows(&s, &r);
    }
}

/** How much the velocity differs from its mirror image, front against back, relative. */
static double asymmetry(const Snapshot *r)
{
    const Scenario *s = r->scenario;
    const size_t layer = cells_of_layer(s);
    double difference = 0.0, square = 0.0;
    for (size_t cell = 0; cell < cell_count(s); cell++) {
        const size_t z = cell / layer, image = ((size_t)s->depth - 1 - z) * layer + cell % layer;
        const Moments a = r->moments[cell], b = r->moments[image];
        const double dx = a.ux - b.ux, dy = a.uy - b.uy, dz = a.uz + b.uz;
        difference += dx * dx + dy * dy + dz * dz;
        square += (double)a.ux * a.ux + (double)a.uy * a.uy + (double)a.uz * a.uz;
    }
    return sqrt(difference / square);
}

/** We know of no table for a cube at Re 100; but both halves are alike, and no mass is lost. */
static void validate_slow_cube(Validation *v)
{
    Scenario s;
    validate_layer_of_cube(v);
    if (!begin_rows(v, &s, "cube", (Parameters){.width = 12, .re = 100.0, .u = 0.2}))
        return;
    Snapshot r = steady_result_of(v, &s, 500, 1e-4);
    print_row(v, &s, "u, front against back, L2", asymmetry(&r),
              4.0 * v->stage->epsilon * sqrt((double)r.step), "");
    print_mass_drift(v, &r);
    end_rows(&s, &r);
}

/** Says that rows of a flow are left out without a GPU, if they are. */
static int takes_gpu(Validation *v, const char *flow, const char *size)
{
    if (!gpu_is_emulated || !takes_flow(v->stage, find_flow(flow)))
        return 0;
    if (!v->is_trial)
        printf("%-16s %-9s left out: it takes a GPU\n", flow, size);
    flush_standard_output();
    v->tally.left_out++;
    return 1;
}

/** BGK diverges on 66^3 cells, and the emulator takes a day for 130^3. About 15 / L^2 is left there. */
static void validate_fast_cube(Validation *v)
{
    Scenario s;
    if (takes_gpu(v, "cube", "130x130x130") ||
        !begin_rows(v, &s, "cube", (Parameters){.width = 130, .re = 1000.0, .u = 0.1}))
        return;
    Snapshot r = steady_result_of(v, &s, 2000, 1e-4);
    validate_extrema(v, &r, 30.0 / (s.length * s.length) + held_back(v->stage));
    validate_profiles(v, &r, 0.016);
    print_mass_drift(v, &r);
    end_rows(&s, &r);
}

/** Populations of the vortices along an axis; to be freed. */
static Real *drawn_out_start(const Scenario *s, int axis)
{
    Real *f = allocate(population_count(s) * sizeof *f);
    for (size_t cell = 0; cell < cell_count(s); cell++) {
        Gradient gradient;
        const Moments m = drawn_out_vortices(s, axis, 0.0, position_of(s, cell), &gradient);
        s->flow->lattice->near_equilibrium(f + (size_t)directions_of(s) * cell, m, &gradient, &s->physics);
    }
    return f;
}

/** Plane vortices along an axis after one decay time: discretization leaves 1.2 / n^2 of the velocity. */
static void validate_drawn_out(Validation *v, int axis)
{
    Coarser coarser = {0};
    char quantity[64];
    snprintf(quantity, sizeof quantity, "plane vortices along %c, L2", "xyz"[axis]);
    for (int n = 12; n <= 24; n *= 2) {
        Scenario s;
        if (!begin_rows(v, &s, "taylor_green_3d", (Parameters){.width = n, .tau = 0.8, .u = 0.6 / n}))
            continue;
        Real *start = drawn_out_start(&s, axis);
        s.start = (Start){.f = start};
        Snapshot r = snapshot_after(v->stage, &s, v->block, lround(0.5 * s.length * s.length / s.nu));
        const double error = drawn_out_error(&r, axis);
        print_row(v, &s, quantity, error, 1.6 / (n * n) + v->stage->epsilon * sqrt((double)r.step), "");
        if (2 * coarser.size == n)
            print_row(v, &s, "2 - order of convergence", lack_of_order(&coarser, n, error), 0.2, "");
        coarser = (Coarser){.size = n, .error = error};
        end_rows(&s, &r);
        free(start);
    }
}

/** The energy that vortices lose against what viscosity takes of their shear. The two differ by 14 / n^2. */
static void validate_lost_energy(Validation *v)
{
    enum { SIDE = 24, STEPS = 20 };
    Scenario s;
    if (!begin_rows(v, &s, "taylor_green_3d", (Parameters){.width = SIDE, .re = 20.0, .u = 0.05}))
        return;
    Snapshot before = snapshot_after(v->stage, &s, v->block, lround(3.0 * s.length / s.u));
    s.start = (Start){.f = before.f};
    Snapshot after = snapshot_after(v->stage, &s, v->block, STEPS);
    const double lost = (kinetic_energy(&before) - kinetic_energy(&after)) / STEPS;
    const double taken = s.nu * (enstrophy(&before) + enstrophy(&after));
    print_row(v, &s, "energy lost, against the enstrophy", fabs(lost / taken - 1.0), 20.0 / (SIDE * SIDE),
              "");
    print_mass_drift(v, &before);
    destroy_snapshot(&after);
    end_rows(&s, &before);
}

static void validate_space_vortices(Validation *v)
{
    for (int axis = 0; axis < 3; axis++)
        validate_drawn_out(v, axis);
    validate_lost_energy(v);
}

/** Makes of a scenario a periodic cube at rest around a sphere of that radius, through which a force drives
 * the fluid: one of an endless array. Returns how many cells are solid. */
static double make_array(Scenario *s, double radius, double force)
{
    const Body body = sphere(0.5 * (s->width - 1), 0.5 * (s->height - 1), 0.5 * (s->depth - 1), radius);
    const Bodies bodies = {.count = 1, .body = {body}};
    double solid = 0.0;
    memset(s->type, FLUID, cell_count(s));
    for (size_t cell = 0; cell < cell_count(s); cell += (size_t)s->width)
        place_bodies(&bodies, s->width, position_of(s, cell), s->type + cell);
    for (size_t cell = 0; cell < cell_count(s); cell++)
        solid += s->type[cell] == BODY;
    s->physics.force_x = (Real)force;
    return solid;
}

/**
 * Creeping flow through a cubic array of spheres that fill an eighth of it: the force on each is 4.292 times
 * that on a sphere alone, 6 pi mu a u, where u is the mean velocity (A. A. Zick & G. M. Homsy 1982, J. Fluid
 * Mech. 115, 13, table 2). It balances the force on the fluid; to this adds what would lift a sphere of
 * fluid. The staircase leaves up to 5 percent of either sign on cubes of 20 to 32 cells a side.
 */
static void validate_array(Validation *v)
{
    enum { SIDE = 20 };
    const double pi = 3.14159265358979323846, radius = SIDE * cbrt(0.125 * 3.0 / (4.0 * pi)), force = 1e-6;
    Scenario s;
    if (!begin_rows(v, &s, "sphere", (Parameters){.width = SIDE, .tau = v->stage->magic_tau, .u = 1e-3}))
        return; // the fluid becomes about that fast: storage in few bits may be scaled to it
    const double cells = (double)cell_count(&s), solid = make_array(&s, radius, force);
    Real *rest = allocate(population_count(&s) * sizeof *rest);
    memset(rest, 0, population_count(&s) * sizeof *rest);
    s.start = (Start){.f = rest};
    Snapshot r =
        snapshot_after(v->stage, &s, v->block, lround(173.0 / s.nu)); // the force is balanced to 4e-4
    LinkList links = find_links(&s);
    const double unit = 0.5 * s.u * s.u * 0.25 * pi * s.length * s.length;
    const double drag = unit * force_on_bodies(&r, &links).drag, driven = force * (cells - solid);
    double sum = 0.0; // of ux
    for (size_t cell = 0; cell < cell_count(&s); cell++)
        sum += r.moments[cell].ux;
    const double alone = 6.0 * pi * s.nu * radius * sum / cells;
    print_row(v, &s, "force on a sphere of an array", fabs(drag / driven - 1.0), 1e-3, "");
    print_row(v, &s, "drag against Zick & Homsy", fabs((drag + force * solid) / (4.292 * alone) - 1.0),
              0.7 / (2.0 * radius), "");
    destroy_links(&links);
    end_rows(&s, &r);
    free(rest);
}

/** A stream at Re 100 past a sphere of 32 cells a diameter. The grid leaves 54 percent of the drag with 4, 24
 * with 8; borders at six diameters and the speed add some. */
static void validate_stream(Validation *v)
{
    const Parameters parameters = {.width = 320, .height = 192, .depth = 192, .re = 100.0, .u = 0.1};
    Scenario s;
    if (takes_gpu(v, "sphere", "320x192x192") || !begin_rows(v, &s, "sphere", parameters))
        return;
    Snapshot r = snapshot_after(v->stage, &s, v->block, lround(15.0 * s.length / s.u));
    print_row(v, &s, "drag against Clift, Grace & Weber", sphere_drag_deviation(&r), 0.08, "");
    end_rows(&s, &r);
}

static void validate_sphere(Validation *v)
{
    validate_array(v);
    validate_stream(v);
}

/**
 * A capsule of radius 3.4 at Ca 0.1, after the time 1 / rate: a boundary integral without walls and inertia
 * gives the deformation 0.1827 (labs/results/capsule_in_stokes.csv). Here walls, neighbours in the periodic box,
 * inertia and the coarse mesh together were seen to leave 0.3 percent.
 */
static void validate_capsule(Validation *v)
{
    const double expected = 0.1827;
    Scenario s;
    if (!begin_rows(v, &s, "capsule",
                    (Parameters){.width = 24, .height = 48, .depth = 16, .tau = 1.5, .u = 0.1, .ca = 0.1}))
        return;
    Snapshot r = snapshot_after(v->stage, &s, v->block, lround(1.0 / shear_rate(&s)));
    const Ellipsoid shape = shape_of(&s.membrane, r.nodes);
    print_row(v, &s, "deformation in Stokes flow", fabs(shape.deformation / expected - 1.0), 0.03, "");
    print_row(v, &s, "volume of the capsule", fabs(shape.volume / s.membrane.volume - 1.0), 2e-3, "");
    print_mass_drift(v, &r);
    end_rows(&s, &r);
}

static void (*const checks[KNOWN_FLOWS])(Validation *) = {
    [CHANNEL] = validate_poiseuille,
    [VORTICES] = validate_taylor_green,
    [SLOW_CAVITY] = validate_slow_cavity,
    [FAST_CAVITY] = validate_fast_cavity,
    [CHANNEL_CYLINDER] = validate_channel_cylinder,
    [DUCT] = validate_duct,
    [BELTRAMI] = validate_abc,
    [SLOW_CUBE] = validate_slow_cube,
    [FAST_CUBE] = validate_fast_cube,
    [SPACE_VORTICES] = validate_space_vortices,
    [SPHERE] = validate_sphere,
    [CAPSULE] = validate_capsule,
};

static Tally check_flow(const Stage *stage, const Stage *quick, Block block, KnownFlow flow)
{
    Validation v = {.stage = stage, .quick = quick, .block = block};
    checks[flow](&v);
    return v.tally;
}

int validate_flow(const Stage *stage, const Stage *quick, Block block, KnownFlow flow)
{
    return check_flow(stage, quick, block, flow).failed;
}

static int takes_any(const Stage *stage)
{
    Validation v = {.stage = stage, .is_trial = 1};
    for (int n = 0; n < KNOWN_FLOWS; n++)
        checks[n](&v);
    return v.taken > 0;
}

/** What all jobs of a validation share. */
typedef struct {
    const Stage *const *stages, *quick;
    int count; /**< of the stages */
    Block block;
    Tally *tally; /**< [count][KNOWN_FLOWS] */
} Round;

/** Whether flows without a membrane are left out: tests find the bits of stage 50 in them on the emulator. */
static int only_membranes(const Round *round, const Stage *stage)
{
    return stage->read_nodes && round->count > 1 && gpu_is_emulated;
}

/** Begins the report on a stage that this device refuses for that reason, or not. Returns 1 if it fails. */
static int begin_stage(const Round *round, const Stage *stage, const char *reason)
{
    printf("\n%s: %s\n", stage->name, stage->summary);
    if (reason) {
        printf("left out: %s\n", reason);
        return 0;
    }
    if (only_membranes(round, stage))
        printf("left out: all flows without a membrane; tests find the bits of another stage in them\n");
    printf("%-16s %-9s %-34s %9s %9s  %s\n", "flow", "size", "quantity", "error", "bound", "verdict");
    const int taken = takes_any(stage);
    if (!taken)
        printf("%s refuses every grid, so that nothing is checked: FAIL\n", stage->name);
    return !taken;
}

static int validate_job(int n, const void *context)
{
    const Round *round = context;
    const Stage *stage = round->stages[n / KNOWN_FLOWS];
    const KnownFlow flow = n % KNOWN_FLOWS;
    const char *reason = device_reason(stage);
    const int failed = flow == 0 ? begin_stage(round, stage, reason) : 0;
    if (!reason && (flow == CAPSULE || !only_membranes(round, stage)))
        round->tally[n] = check_flow(stage, round->quick, round->block, flow);
    return round->tally[n].failed += failed;
}

/** Adds up the flows of one stage, or the stages of one flow. */
static Tally sum_of(const Tally *tally, int count, int apart)
{
    Tally sum = {0, 0, 0};
    for (int n = 0; n < count; n++, tally += apart) {
        sum.checked += tally->checked;
        sum.failed += tally->failed;
        sum.left_out += tally->left_out;
    }
    return sum;
}

/** Prints the names of the stages that failed, or of which nothing was checked, behind some words. */
static void print_names(const Round *round, const char *words, int failed)
{
    for (int n = 0; n < round->count; n++) {
        const Tally sum = sum_of(round->tally + n * KNOWN_FLOWS, KNOWN_FLOWS, 1);
        if (failed ? sum.failed > 0 : sum.checked == 0) {
            printf("%s %s", words, round->stages[n]->name);
            words = ",";
        }
    }
}

static void print_sum(const Round *round)
{
    const int count = round->count;
    const Tally all = sum_of(round->tally, count * KNOWN_FLOWS, 1);
    int stages = 0, flows = 0;
    for (int n = 0; n < count; n++)
        stages += sum_of(round->tally + n * KNOWN_FLOWS, KNOWN_FLOWS, 1).checked > 0;
    for (int n = 0; n < KNOWN_FLOWS; n++)
        flows += sum_of(round->tally + n, count, KNOWN_FLOWS).checked > 0;
    printf("\n%d stage%s, %d flow%s, %d quantities: ", stages, stages == 1 ? "" : "s", flows,
           flows == 1 ? "" : "s", all.checked);
    if (all.failed)
        printf("%d checks failed", all.failed);
    else
        printf("all hold");
    print_names(round, ", in", 1);
    print_names(round, "; nothing was checked of", 0);
    if (all.left_out)
        printf("; grids left out, for the reasons above: %d", all.left_out);
    printf("\n");
}

/**
 * The order in which the jobs begin: that in which they print, but that the longest one of the last stage
 * begins with the first stage, that of the last but one with the second, and so on. What is left at the end
 * is short.
 */
static int *order_of_jobs(int stages)
{
    int *order = allocate((size_t)stages * KNOWN_FLOWS * sizeof *order), count = 0;
    for (int stage = 0; stage < stages; stage++) {
        const int other = stages - 1 - stage;
        if (other > stage)
            order[count++] = other * KNOWN_FLOWS + FAST_CAVITY;
        for (int flow = 0; flow < KNOWN_FLOWS; flow++)
            if (flow != FAST_CAVITY || stage <= other)
                order[count++] = stage * KNOWN_FLOWS + flow;
    }
    return order;
}

static int any_takes(const Stage *const *stages, int count, const char *flow)
{
    int takes = 0;
    for (int n = 0; n < count; n++)
        takes |= !device_reason(stages[n]) && takes_flow(stages[n], find_flow(flow));
    return takes;
}

int validate(const Stage *const *stages, int count, const Stage *quick, Block block)
{
    const size_t bytes = (size_t)count * KNOWN_FLOWS * sizeof(Tally);
    const Round round = {stages, quick, count, block, allocate_shared(bytes)};
    const int many = gpu_is_emulated && rank_count() == 1; // the ranks know only this process
    int *order = order_of_jobs(count);
    if (quick && any_takes(stages, count, "cavity")) {
        printf("the larger cavities begin with the steady state of %s, and waves\n", quick->name);
        flush_standard_output();
        provide_start(&slow_cavity[0], quick, block); // before the jobs of all stages part
        provide_start(&slow_cavity[1], quick, block);
        provide_start(&fast_cavity, quick, block);
    }
    const int failed =
        run_process_pool(count * KNOWN_FLOWS, many ? core_count() : 1, validate_job, &round, order);
    print_sum(&round);
    free_shared(round.tally, bytes);
    free(order);
    return failed;
}
