// build/moments_16 FLOW SIDE RE SPEED STEPS STORAGE...: what a flow becomes if the moments of its cells are
// stored in few bits. A line of a table for each storage. RE 0 is the flow's own relaxation time, STEPS 0 its
// duration. Without a storage: how large the moments are, and how much of them a step changes.
#include "storage.h"

#include "host/allocate.h"
#include "host/fail.h"
#include "simulation/simulation.h"
#include "stage/unsupported.h"
#include "studies/accuracy.h"
#include "studies/cavity.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: moments_16 FLOW SIDE RE SPEED STEPS [STORAGE...]; a storage is fp32, populations, half, fixed or mixed, "
    "with any of :chance :relative :third :fp32-density :fp32-momentum :fp32-stress and :16-16-16, or other bits from "
    "8 to 24, of density, momentum and stress";

/** A run is sampled so often. */
enum { SAMPLES = 40 };

static const char *const names[MOMENTS] = {"density", "jx", "jy", "jz", "xx_zz", "yy_zz", "xy", "xz", "yz"};

/* ---- Storages ---- */

enum { DENSITY, MOMENTUM, STRESS, KINDS };
static const char *const kinds[KINDS] = {"density", "momentum", "stress"};

static int kind_of(int moment)
{
    return moment == DRHO ? DENSITY : moment < XX_ZZ ? MOMENTUM : STRESS;
}

/** The range of a kind of moments: the power of two from the flow's largest speed on, for stress; twice as
 * much for density and momentum. */
static float range_of(int kind, const Scenario *s)
{
    const double fastest = s->mach / sqrt(3.0);
    return (float)exp2(ceil(log2(fastest)) + (kind == STRESS ? 0.0 : 1.0));
}

/** What a storage is made of: bits of each kind, 32 for FP32. */
typedef struct {
    int bits[KINDS];
    Storage made;
} Choice;

/** Takes an option; returns whether there is such a one. */
static int take_option(Choice *c, const char *word)
{
    int end = 0, kind = 0;
    if (strcmp(word, "chance") == 0)
        return c->made.is_by_chance = 1;
    if (strcmp(word, "relative") == 0)
        return c->made.is_relative = 1;
    if (strcmp(word, "third") == 0)
        return c->made.interval = 3;
    if (sscanf(word, "%2d-%2d-%2d%n", &c->bits[0], &c->bits[1], &c->bits[2], &end) == 3 && !word[end]) {
        while (kind < KINDS && c->bits[kind] >= 8 && c->bits[kind] <= 24)
            kind++;
        return kind == KINDS;
    }
    while (kind < KINDS && (strncmp(word, "fp32-", 5) != 0 || strcmp(word + 5, kinds[kind]) != 0))
        kind++;
    if (kind < KINDS)
        c->bits[kind] = 32;
    return kind < KINDS;
}

/** The storage of that name. */
static Storage parse_storage(const char *name, const Scenario *s)
{
    char text[128], *rest = text;
    Choice c = {
        {16,  16, 16},
        {.interval = 1}
    };
    int good = snprintf(text, sizeof text, "%s", name) < (int)sizeof text;
    const char *base = strsep(&rest, ":");
    while (good && rest)
        good = take_option(&c, strsep(&rest, ":"));
    if (!good)
        fail(EXIT_USAGE, "unknown storage \"%s\"; %s", name, usage);
    const int is_half = strcmp(base, "half") == 0, is_mixed = strcmp(base, "mixed") == 0;
    const int is_of_moments = is_half || is_mixed || strcmp(base, "fixed") == 0;
    if (strcmp(base, "populations") == 0)
        c.made.population = scaled_float(16, 2.0f); // FP16S
    else if (!(is_of_moments || strcmp(name, "fp32") == 0))
        fail(EXIT_USAGE, "unknown storage \"%s\"; %s", name, usage);
    for (int i = 0; i < MOMENTS; i++) {
        const int kind = kind_of(i);
        const int is_float = is_half || (is_mixed && kind != MOMENTUM);
        if (is_of_moments && c.bits[kind] < 32)
            c.made.moment[i] = (is_float ? scaled_float : fixed_point)(c.bits[kind], range_of(kind, s));
    }
    return c.made;
}

/* ---- Runs ---- */

/** What is sampled of a run. */
typedef struct {
    FlowSums sums[SAMPLES + 1];
    Snapshot end;
    int is_sane;
} Outcome;

static Outcome run_storage(const Scenario *s, const char *name, long steps)
{
    Outcome o = {.end = create_fields(s), .is_sane = 1};
    storage = parse_storage(name, s);
    Simulation *solver = begin_simulation(&stage_moments_16, s, (Block){32, 8});
    for (int n = 0; n <= SAMPLES && o.is_sane; n++) {
        advance_simulation(solver, steps * n / SAMPLES - current_step(solver));
        o.sums[n] = look_at(solver);
        o.is_sane = !(o.sums[n].insane > 0.0);
    }
    read_snapshot(&o.end, solver);
    end_simulation(solver);
    return o;
}

/** Root of the mean square, and the largest, of the distances of two velocities. */
static void print_distance(const Snapshot *r, const Snapshot *reference)
{
    const Scenario *s = r->scenario;
    double square = 0.0, largest = 0.0, count = 0.0;
    for (size_t cell = 0; cell < cell_count(s); cell++) {
        const Moments a = r->moments[cell], b = reference->moments[cell];
        const double x = a.ux - b.ux, y = a.uy - b.uy, z = a.uz - b.uz, distance = x * x + y * y + z * z;
        if (is_wall(s->type[cell]))
            continue;
        count++;
        square += distance;
        largest = fmax(largest, distance);
    }
    printf(",%.2e,%.2e", sqrt(square / count) / s->u, sqrt(largest) / s->u);
}

/** Largest rate at which the kinetic energy of a cell falls, over speed^3 / length. */
static double fastest_loss(const Outcome *o, const Scenario *s, long steps)
{
    double most = 0.0;
    for (int n = 2; n < SAMPLES - 1; n++) {
        const FlowSums *at = &o->sums[n];
        const double near = at[1].energy - at[-1].energy, far = at[2].energy - at[-2].energy;
        most = fmax(most, -(8.0 * near - far) / 12.0);
    }
    return most * SAMPLES / (double)steps / (double)cell_count(s) * s->length / pow(s->u, 3.0);
}

/** The largest component of the momentum, over that of all fluid at the reference speed. */
static double momentum_of(const FlowSums *sums, double u)
{
    const double *p = sums->momentum;
    return fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2]))) / (sums->mass * u);
}

static void print_row(const Scenario *s, const char *name, const Outcome *o, const Outcome *first, long steps)
{
    const FlowSums *last = &o->sums[SAMPLES];
    printf("%s,%d,%g,%g,%ld,%s", s->flow->name, s->height, s->re, s->u, steps, name);
    if (!o->is_sane) {
        printf(",diverged,,,,,,\n");
        return;
    }
    const double error = s->flow->exact ? exact_error(&o->end) : extrema_deviation(&o->end);
    printf(isnan(error) ? "," : ",%.3e", error);
    print_distance(&o->end, &first->end);
    printf(",%.6e,%.1e", last->energy / (double)cell_count(s) / (s->u * s->u),
           last->mass / o->sums[0].mass - 1.0);
    printf(s->flow->steady ? "," : ",%.1e", momentum_of(last, s->u));
    printf(s->flow->exact || s->flow->steady ? ",\n" : ",%.5f\n", fastest_loss(o, s, steps));
    fflush(stdout);
}

static void study(const Scenario *s, long steps, char **storages, int count)
{
    Outcome first = {0};
    for (int n = 0; n < count; n++) {
        Outcome o = run_storage(s, storages[n], steps);
        if (n == 0)
            first = o;
        print_row(s, storages[n], &o, &first, steps);
        if (n > 0)
            destroy_snapshot(&o.end);
    }
    destroy_snapshot(&first.end);
}

/* ---- Ranges ---- */

/** The moments of all cells, [cell][MOMENTS]. */
static void read_all_moments(const Simulation *solver, Snapshot *r, float *m)
{
    read_snapshot(r, solver);
    for (size_t cell = 0; cell < cell_count(r->scenario); cell++)
        sum_moments(m + MOMENTS * cell, r->f + 19 * cell);
}

static void print_ranges(const Scenario *s, long steps)
{
    const size_t count = MOMENTS * cell_count(s);
    float *before = allocate(count * sizeof *before), *after = allocate(count * sizeof *after);
    double largest[MOMENTS] = {0.0}, square[MOMENTS], change[MOMENTS];
    Snapshot r = create_snapshot(s);
    storage = parse_storage("fp32", s);
    Simulation *solver = begin_simulation(&stage_moments_16, s, (Block){32, 8});
    for (int n = 0; n <= SAMPLES; n++) {
        advance_simulation(solver, steps * n / SAMPLES - current_step(solver));
        read_all_moments(solver, &r, before);
        advance_simulation(solver, 1);
        read_all_moments(solver, &r, after);
        memset(square, 0, sizeof square);
        memset(change, 0, sizeof change);
        for (size_t k = 0; k < count; k++) {
            const int i = k % MOMENTS;
            largest[i] = fmax(largest[i], fabs((double)before[k]));
            square[i] += (double)before[k] * before[k];
            change[i] += pow((double)after[k] - before[k], 2.0);
        }
    }
    for (int i = 0; i < MOMENTS; i++)
        printf("%s,%d,%g,%g,%ld,%s,%.2e,%.2e,%.2e\n", s->flow->name, s->height, s->re, s->u, steps, names[i],
               largest[i], sqrt(square[i] / (double)cell_count(s)), sqrt(change[i] / square[i]));
    end_simulation(solver);
    destroy_snapshot(&r);
    free(before);
    free(after);
}

/** The number that a text is; ends the program with one line unless it is one from 0 to `most`. */
static double number(const char *what, const char *text, double most)
{
    char *rest;
    const double value = strtod(text, &rest);
    if (!isdigit((unsigned char)*text) || *rest || !(value <= most))
        fail(EXIT_USAGE, "%s is \"%s\"; it takes a number from 0 to %g", what, text, most);
    return value;
}

int main(int count, char **arguments)
{
    if (count < 6)
        fail(EXIT_USAGE, "%s", usage);
    const Flow *flow = find_flow(arguments[1]);
    if (!flow || !takes_flow(&stage_moments_16, flow))
        fail(EXIT_USAGE, "FLOW is \"%s\"; it takes abc, duct, cube or taylor_green_3d", arguments[1]);
    const int side = (int)number("SIDE", arguments[2], 1600.0);
    Scenario s = create_scenario(flow, (Parameters){.width = flow->exact == DUCT_PROFILE ? 4 : side,
                                                    .height = side,
                                                    .depth = side,
                                                    .re = number("RE", arguments[3], 1e5),
                                                    .u = number("SPEED", arguments[4], 0.3)});
    const long given = (long)number("STEPS", arguments[5], 1e8);
    const long steps = given ? given : lround(flow->duration(&s));
    if (count == 6)
        print_ranges(&s, steps);
    else
        study(&s, steps, arguments + 6, count - 6);
    destroy_scenario(&s);
    return EXIT_GOOD;
}
