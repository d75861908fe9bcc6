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
    "usage: moments_16 FLOW SIDE RE SPEED STEPS [STORAGE...]; a storage is fp32, populations, half or fixed, "
    "and behind it any of :chance :relative :third :bits=DENSITY,MOMENTUM,STRESS :fp32=MOMENT";

/** A run is sampled so often. */
enum { SAMPLES = 40 };

static const char *const moment_names[MOMENTS] = {"density", "jx", "jy", "jz", "xx_zz",
                                                  "yy_zz",   "xy", "xz", "yz"};

/* ---- Storages ---- */

/** Which of three kinds a moment is: density, momentum, stress. */
static int kind_of(int moment)
{
    return moment == DRHO ? 0 : moment < XX_ZZ ? 1 : 2;
}

/** The power of two that no moment of that kind exceeds, by the table of ranges: that above the largest speed, twice
 * as much for density and momentum. */
static float range_of(int kind, const Scenario *s)
{
    const double fastest = s->mach / sqrt(3.0);
    return (float)(exp2(ceil(log2(fastest))) * (kind == 2 ? 1.0 : 2.0));
}

/** A number of so many bits, one of them the sign, that are the multiples of a quantum. */
static Format fixed_point(int bits, float range)
{
    const float quantum = range * (float)exp2(1 - bits);
    return (Format){quantum, 0.0f, range - quantum};
}

/** A float of so many bits, of which five are the exponent, scaled so that its largest number is in range. */
static Format scaled_float(int bits, float range)
{
    const float unit = (float)exp2(6 - bits); // of a significand of bits - 5 digits, the first one not stored
    return (Format){range * unit * 0x1p-30f, unit, range * (1.0f - 0.5f * unit)};
}

/** What a storage is made of. */
typedef struct {
    const char *base;
    int bits[3], is_relative, is_by_chance, interval, is_exact[MOMENTS];
} Choice;

/** Reads the option behind a colon; returns whether there is such a one. */
static int read_option(Choice *c, const char *word)
{
    int moment = 0, end = 0;
    if (strcmp(word, "chance") == 0)
        return c->is_by_chance = 1;
    if (strcmp(word, "relative") == 0)
        return c->is_relative = 1;
    if (strcmp(word, "third") == 0)
        return c->interval = 3;
    if (sscanf(word, "bits=%d,%d,%d%n", &c->bits[0], &c->bits[1], &c->bits[2], &end) == 3 && !word[end]) {
        for (int kind = 0; kind < 3; kind++)
            if (c->bits[kind] < 8 || c->bits[kind] > 24)
                return 0;
        return 1;
    }
    if (strncmp(word, "fp32=", 5) != 0)
        return 0;
    if (strcmp(word + 5, "momentum") == 0 || strcmp(word + 5, "stress") == 0) {
        for (int i = 0; i < MOMENTS; i++)
            c->is_exact[i] |= kind_of(i) == (word[5] == 'm' ? 1 : 2);
        return 1;
    }
    while (moment < MOMENTS && strcmp(word + 5, moment_names[moment]) != 0)
        moment++;
    if (moment < MOMENTS)
        c->is_exact[moment] = 1;
    return moment < MOMENTS;
}

/** The storage of that name. */
static Storage parse_storage(const char *name, const Scenario *s)
{
    char text[128];
    Choice c = {.bits = {16, 16, 16}, .interval = 1};
    int good = snprintf(text, sizeof text, "%s", name) < (int)sizeof text;
    c.base = strtok(text, ":");
    for (char *word; good && (word = strtok(NULL, ":"));)
        good = read_option(&c, word);
    const int is_half = c.base && strcmp(c.base, "half") == 0, is_fixed = c.base && strcmp(c.base, "fixed") == 0;
    const int is_fp32 = strcmp(name, "fp32") == 0, is_populations = c.base && strcmp(c.base, "populations") == 0;
    if (!good || !(is_half || is_fixed || is_fp32 || is_populations))
        fail(EXIT_USAGE, "unknown storage \"%s\"; %s", name, usage);
    Storage made = {.relative = c.is_relative, .by_chance = c.is_by_chance, .interval = c.interval};
    for (int i = 0; i < MOMENTS && (is_half || is_fixed); i++) {
        const int kind = kind_of(i);
        if (!c.is_exact[i])
            made.moment[i] = (is_half ? scaled_float : fixed_point)(c.bits[kind], range_of(kind, s));
    }
    if (is_populations)
        made.population = scaled_float(16, 2.0f); // FP16S
    return made;
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

static void print_row(const Scenario *s, const char *name, const Outcome *o, const Outcome *reference, long steps)
{
    const FlowSums *last = &o->sums[SAMPLES];
    printf("%s,%d,%g,%g,%ld,%s", s->flow->name, s->height, s->re, s->u, steps, name);
    if (!o->is_sane) {
        printf(",diverged,,,,,\n");
        return;
    }
    const double error = s->flow->exact ? exact_error(&o->end) : extrema_deviation(&o->end);
    printf(isnan(error) ? "," : ",%.3e", error);
    print_distance(&o->end, &reference->end);
    printf(",%.6e,%.1e", last->energy / (double)cell_count(s) / (s->u * s->u), last->mass / o->sums[0].mass - 1.0);
    printf(s->flow->steady ? "," : ",%.1e", momentum_of(last, s->u));
    printf(s->flow->exact || s->flow->steady ? ",\n" : ",%.5f\n", fastest_loss(o, s, steps));
    fflush(stdout);
}

static void study(const Scenario *s, long steps, char **names, int count)
{
    const Outcome reference = run_storage(s, "fp32", steps);
    for (int n = 0; n < count; n++) {
        const int is_reference = strcmp(names[n], "fp32") == 0;
        Outcome o = is_reference ? reference : run_storage(s, names[n], steps);
        print_row(s, names[n], &o, &reference, steps);
        if (!is_reference)
            destroy_snapshot(&o.end);
    }
    free(reference.end.moments);
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
        printf("%s,%d,%g,%g,%ld,%s,%.2e,%.2e,%.2e\n", s->flow->name, s->height, s->re, s->u, steps, moment_names[i],
               largest[i], sqrt(square[i] / (double)cell_count(s)), sqrt(change[i] / square[i]));
    end_simulation(solver);
    destroy_snapshot(&r);
    free(before);
    free(after);
}

int main(int count, char **arguments)
{
    if (count < 6)
        fail(EXIT_USAGE, "%s", usage);
    const Flow *flow = find_flow(arguments[1]);
    if (!flow)
        fail(EXIT_USAGE, "unknown flow \"%s\"", arguments[1]);
    check_lattice(&stage_moments_16, flow);
    const int side = atoi(arguments[2]);
    const Parameters parameters = {.width = strcmp(flow->name, "duct") == 0 ? 4 : side,
                                   .height = side,
                                   .depth = side,
                                   .re = atof(arguments[3]),
                                   .u = atof(arguments[4])};
    Scenario s = create_scenario(flow, parameters);
    const long given = atol(arguments[5]), steps = given ? given : lround(flow->duration(&s));
    if (count == 6)
        print_ranges(&s, steps);
    else
        study(&s, steps, arguments + 6, count - 6);
    destroy_scenario(&s);
    return EXIT_GOOD;
}
