#include "validate.h"

#include "accuracy.h"
#include "allocate.h"
#include "forces.h"
#include "standard_output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1000 };

/** One stage on its way through the flows. */
typedef struct {
    const Stage *stage;
    Block block;
    int failed; /**< rows so far */
} Validation;

static void print_row(Validation *v, const Scenario *s, const char *quantity, double error, double bound,
                      const char *note)
{
    char size[32];
    snprintf(size, sizeof size, "%dx%d", s->width, s->height);
    const int failed = !(error <= bound);
    printf("%-16s %-9s %-34s %9.2e %9.2e  %s%s\n", s->flow->name, size, quantity, error, bound,
           failed ? "FAIL" : "ok", note);
    flush_standard_output();
    v->failed += failed;
}

/** What the stage reads back after so many steps. */
static Result result_of(const Validation *v, const Scenario *s, long steps)
{
    Result r = create_result(s);
    Solver *solver = v->stage->create(s, v->block);
    for (long done = 0; done < steps; done += CHUNK)
        v->stage->advance(solver, steps - done < CHUNK ? (int)(steps - done) : CHUNK);
    read_result(&r, v->stage, solver, steps);
    v->stage->destroy(solver);
    return r;
}

/**
 * The result when so many steps change the velocity by at most `change` and what rounding keeps moving, an
 * epsilon in each of the two results. Prints the row that says whether they came to that.
 */
static Result steady_result_of(Validation *v, const Scenario *s, double change)
{
    const double bound = change + 2.0 * v->stage->epsilon;
    const size_t bytes = cell_count(s) * sizeof(Moments);
    Result r = create_result(s);
    Moments *previous = allocate(bytes);
    Solver *solver = v->stage->create(s, v->block);
    double last = HUGE_VAL;
    read_result(&r, v->stage, solver, 0);
    for (int chunk = 1; chunk <= 200 && !(last <= bound); chunk++) {
        memcpy(previous, r.moments, bytes);
        v->stage->advance(solver, CHUNK);
        read_result(&r, v->stage, solver, chunk * CHUNK);
        last = relative_change(&r, previous);
    }
    v->stage->destroy(solver);
    free(previous);
    print_row(v, s, "u, change in the last 1000 steps", last, bound, "");
    return r;
}

static void print_mass_drift(Validation *v, const Result *r)
{
    Result start = initial_result(r->scenario);
    const double drift = fabs(total_mass(r) / total_mass(&start) - 1.0);
    print_row(v, r->scenario, "mass, relative drift", drift, 16.0 * v->stage->epsilon, "");
    destroy_result(&start);
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
    return stage->epsilon * (stage->rounding == UNBIASED ? sqrt(steps) / 3.14159265 : 1.5 * steps / 8.0);
}

/** At tau = 1/2 + sqrt(3)/4 half-way walls make the parabola exact, and what is left is rounding. */
static void validate_poiseuille(Validation *v)
{
    const Parameters parameters = {.width = 4, .height = 18, .tau = 0.5 + 0.25 * sqrt(3.0)};
    Scenario s = create_scenario(find_flow("poiseuille"), parameters);
    Result r = steady_result_of(v, &s, 1e-7);
    const double bound = channel_rounding(v->stage, &s);
    print_row(v, &s, "u against the parabola, L2", exact_error(&r), bound,
              bound > 0.01 ? " (storage too coarse for so small a force)" : "");
    print_mass_drift(v, &r);
    destroy_result(&r);
    destroy_scenario(&s);
}

/** Error of Taylor-Green vortices on n x n cells after about one decay time; speed as 1 / n. */
static double taylor_green_error(const Validation *v, int n, Scenario *s, long *steps)
{
    const Parameters parameters = {.width = n, .height = n, .tau = 0.8, .u = 1.28 / n};
    *s = create_scenario(find_flow("taylor_green"), parameters);
    *steps = lround(s->flow->duration(s));
    Result r = result_of(v, s, *steps);
    const double error = exact_error(&r);
    destroy_result(&r);
    return error;
}

/** Discretization leaves about 5 / n^2. Independent roundings add up as a random walk: epsilon sqrt(steps).
 */
static void validate_taylor_green(Validation *v)
{
    double error[3];
    for (int k = 0; k < 3; k++) {
        const int n = 32 << k;
        Scenario s;
        long steps;
        error[k] = taylor_green_error(v, n, &s, &steps);
        const double discretization = 6.0 / (n * n), rounding = v->stage->epsilon * sqrt((double)steps);
        print_row(v, &s, "u against the solution, L2", error[k], discretization + rounding, "");
        if (k > 0 && rounding < discretization)
            print_row(v, &s, "2 - order of convergence", 2.0 - log2(error[k - 1] / error[k]), 0.2, "");
        destroy_scenario(&s);
    }
}

static void validate_cavity(Validation *v, double re, double bound)
{
    const Parameters parameters = {.width = 130, .height = 130, .re = re, .u = 0.1};
    Scenario s = create_scenario(find_flow("cavity"), parameters);
    Result r = steady_result_of(v, &s, 2e-4);
    char quantity[64];
    for (const char *line = "uv"; *line; line++) {
        snprintf(quantity, sizeof quantity, "%c against Ghia et al., Re %g, max", *line, re);
        print_row(v, &s, quantity, ghia_deviation(&r, *line), bound, "");
    }
    print_mass_drift(v, &r);
    destroy_result(&r);
    destroy_scenario(&s);
}

/** Case 2D-1 of Schaefer & Turek 1996 with ten cells a diameter, which leaves five percent or so. */
static void validate_channel_cylinder(Validation *v)
{
    Scenario s = create_scenario(find_flow("channel_cylinder"), (Parameters){.width = 222, .height = 43});
    Result r = result_of(v, &s, 6000);
    Links links = find_links(&s);
    const Force force = force_on_bodies(&r, &links);
    print_row(v, &s, "drag against Schaefer & Turek", fabs(force.drag / 5.5795 - 1.0), 0.08, "");
    print_row(v, &s, "lift against theirs", fabs(force.lift - 0.0106), 0.0100, "");
    destroy_links(&links);
    destroy_result(&r);
    destroy_scenario(&s);
}

int validate(const Stage *stage, Block block)
{
    Validation v = {stage, block, 0};
    printf("\n%s: %s\n", stage->name, stage->adds);
    printf("%-16s %-9s %-34s %9s %9s  %s\n", "flow", "size", "quantity", "error", "bound", "verdict");
    validate_poiseuille(&v);
    validate_taylor_green(&v);
    validate_cavity(&v, 100.0, 0.010);
    validate_cavity(&v, 1000.0, 0.020);
    validate_channel_cylinder(&v);
    return v.failed;
}
