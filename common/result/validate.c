#include "validate.h"

#include "allocate.h"
#include "forces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Tables I and II of U. Ghia, K. N. Ghia, C. T. Shin, J. Comput. Phys. 48 (1982) 387-411, at the positions
 * node / 128 of their 129 x 129 grid: u along the vertical, v along the horizontal centre line, over lid
 * speed.
 */
const GhiaPoint ghia_u[GHIA_POINTS] = {
    {0,   0.00000,  0.00000 },
    {7,   -0.03717, -0.18109},
    {8,   -0.04192, -0.20196},
    {9,   -0.04775, -0.22220},
    {13,  -0.06434, -0.29730},
    {22,  -0.10150, -0.38289},
    {36,  -0.15662, -0.27805},
    {58,  -0.21090, -0.10648},
    {64,  -0.20581, -0.06080},
    {79,  -0.13641, 0.05702 },
    {94,  0.00332,  0.18719 },
    {109, 0.23151,  0.33304 },
    {122, 0.68717,  0.46604 },
    {123, 0.73722,  0.51117 },
    {124, 0.78871,  0.57492 },
    {125, 0.84123,  0.65928 },
    {128, 1.00000,  1.00000 },
};

const GhiaPoint ghia_v[GHIA_POINTS] = {
    {0,   0.00000,  0.00000 },
    {8,   0.09233,  0.27485 },
    {9,   0.10091,  0.29012 },
    {10,  0.10890,  0.30353 },
    {12,  0.12317,  0.32627 },
    {20,  0.16077,  0.37095 },
    {29,  0.17507,  0.33075 },
    {30,  0.17527,  0.32235 },
    {64,  0.05454,  0.02526 },
    {103, -0.24533, -0.31966},
    {110, -0.22445, -0.42665},
    {116, -0.16914, -0.51550},
    {121, -0.10313, -0.39188},
    {122, -0.08864, -0.33714},
    {123, -0.07391, -0.27669},
    {124, -0.05906, -0.21388},
    {128, 0.00000,  0.00000 },
};

static int is_fluid(const Scenario *s, int x, int y)
{
    return !is_wall(s->type[(size_t)y * s->width + x]);
}

double total_mass(const Scenario *s, const float *f)
{
    double mass = 0.0;
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++)
            if (is_fluid(s, x, y)) {
                mass += 1.0;
                for (int i = 0; i < 9; i++)
                    mass += f[9 * ((size_t)y * s->width + x) + i];
            }
    return mass;
}

int is_sane(const Scenario *s, const float *f)
{
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const Moments m = moments_at(s, f, x, y);
            if (!(m.rho > 0.0f && isfinite(m.rho) && isfinite(m.ux) && isfinite(m.uy)))
                return 0;
        }
    return 1;
}

/** Adds |a - b|^2 to sums[0] and |b|^2 to sums[1], velocities only. */
static void add_difference(Moments a, Moments b, double sums[2])
{
    const double dx = (double)a.ux - b.ux, dy = (double)a.uy - b.uy;
    sums[0] += dx * dx + dy * dy;
    sums[1] += (double)b.ux * b.ux + (double)b.uy * b.uy;
}

double relative_change(const Scenario *s, const float *f, const float *previous)
{
    double sums[2] = {0.0, 0.0};
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++)
            if (is_fluid(s, x, y))
                add_difference(moments_at(s, f, x, y), moments_at(s, previous, x, y), sums);
    return sqrt(sums[0] / sums[1]);
}

double exact_error(const Scenario *s, const float *f, double t)
{
    if (!s->flow->exact)
        return NAN;
    double sums[2] = {0.0, 0.0};
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++)
            if (is_fluid(s, x, y))
                add_difference(moments_at(s, f, x, y), s->flow->exact(s, t, x, y), sums);
    return sqrt(sums[0] / sums[1]);
}

/**
 * The cell before a position along one axis of a closed box, and the share of the cell after it. A wall's
 * velocity belongs half a cell outside the fluid, not to the centre of its cell.
 */
static int cell_before(double position, int size, double *share)
{
    const int cell = (int)fmin(position, size - 2);
    *share = position - cell;
    if (cell == 0)
        *share = 2.0 * *share - 1.0;
    else if (cell == size - 2)
        *share *= 2.0;
    return cell;
}

/** Velocity at (x, y) in cells, bilinear between cell centres and walls. */
static double sample(const Scenario *s, const float *f, double x, double y, char component)
{
    double share[2], value = 0.0;
    const int x0 = cell_before(x, s->width, &share[0]), y0 = cell_before(y, s->height, &share[1]);
    for (int corner = 0; corner < 4; corner++) {
        const int right = corner % 2, up = corner / 2;
        const Moments m = moments_at(s, f, x0 + right, y0 + up);
        value += (right ? share[0] : 1.0 - share[0]) * (up ? share[1] : 1.0 - share[1]) *
                 (component == 'u' ? m.ux : m.uy);
    }
    return value;
}

double ghia_deviation(const Scenario *s, const float *f, char line)
{
    const int re100 = fabs(s->re - 100.0) < 1e-6, re1000 = fabs(s->re - 1000.0) < 1e-6;
    if (strcmp(s->flow->name, "cavity") != 0 || s->width != s->height || !(re100 || re1000))
        return NAN;
    double largest = 0.0;
    for (int n = 1; n < GHIA_POINTS - 1; n++) {
        const GhiaPoint *point = line == 'u' ? &ghia_u[n] : &ghia_v[n];
        const double centre = 0.5 * (s->width - 1), along = 0.5 + point->node / 128.0 * s->length;
        const double value =
            line == 'u' ? sample(s, f, centre, along, 'u') : sample(s, f, along, centre, 'v');
        const double deviation = fabs(value / s->u - (re100 ? point->re100 : point->re1000));
        if (isnan(deviation))
            return NAN;
        largest = fmax(largest, deviation);
    }
    return largest;
}

/* ---- The table ---- */

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
    fflush(stdout);
    v->failed += failed;
}

/** The populations that the stage reads back after so many steps. */
static float *result_of(const Validation *v, const Scenario *s, long steps)
{
    float *f = allocate(9 * cell_count(s) * sizeof(float));
    Solver *solver = v->stage->create(s, v->block);
    for (long done = 0; done < steps; done += CHUNK)
        v->stage->advance(solver, steps - done < CHUNK ? (int)(steps - done) : CHUNK);
    v->stage->read(solver, f);
    v->stage->destroy(solver);
    return f;
}

/**
 * The populations when so many steps change the velocity by at most `change` and what rounding keeps moving,
 * an epsilon in each of the two results.
 * Prints the row that says whether they came to that.
 */
static float *steady_result_of(Validation *v, const Scenario *s, double change)
{
    const size_t bytes = 9 * cell_count(s) * sizeof(float);
    const double bound = change + 2.0 * v->stage->epsilon;
    float *f = allocate(bytes), *previous = allocate(bytes);
    Solver *solver = v->stage->create(s, v->block);
    double last = HUGE_VAL;
    for (int chunk = 0; chunk < 200 && !(last <= bound); chunk++) {
        v->stage->read(solver, previous);
        v->stage->advance(solver, CHUNK);
        v->stage->read(solver, f);
        last = relative_change(s, f, previous);
    }
    v->stage->destroy(solver);
    free(previous);
    print_row(v, s, "u, change in the last 1000 steps", last, bound, "");
    return f;
}

static void print_mass_drift(Validation *v, const Scenario *s, const float *f)
{
    float *start = allocate(9 * cell_count(s) * sizeof(float));
    initial_populations(s, start);
    const double drift = fabs(total_mass(s, f) / total_mass(s, start) - 1.0);
    print_row(v, s, "mass, relative drift", drift, 16.0 * v->stage->epsilon, "");
    free(start);
}

/**
 * At tau = 1/2 + sqrt(3)/4 half-way walls make the parabola exact, and what is left is rounding. At the worst
 * all roundings of a stored population go the same way: a cell loses epsilon u of its momentum per step,
 * where the force adds 8 nu u / length^2. The ratio bounds the error; the arithmetic gets half as much again.
 */
static void validate_poiseuille(Validation *v)
{
    const Parameters parameters = {.width = 4, .height = 18, .tau = 0.5 + 0.25 * sqrt(3.0)};
    Scenario s = create_scenario(find_flow("poiseuille"), parameters);
    float *f = steady_result_of(v, &s, 1e-7);
    const double bound = 1.5 * v->stage->epsilon * s.length * s.length / (8.0 * s.nu);
    print_row(v, &s, "u against the parabola, L2", exact_error(&s, f, 0.0), bound,
              bound > 0.01 ? " (storage too coarse for so small a force)" : "");
    print_mass_drift(v, &s, f);
    free(f);
    destroy_scenario(&s);
}

/** Error of Taylor-Green vortices on n x n cells after about one decay time; speed as 1 / n. */
static double taylor_green_error(const Validation *v, int n, Scenario *s, long *steps)
{
    const Parameters parameters = {.width = n, .height = n, .tau = 0.8, .u = 1.28 / n};
    *s = create_scenario(find_flow("taylor_green"), parameters);
    *steps = lround(s->flow->duration(s));
    float *f = result_of(v, s, *steps);
    const double error = exact_error(s, f, (double)*steps);
    free(f);
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
    float *f = steady_result_of(v, &s, 2e-4);
    char quantity[64];
    for (const char *line = "uv"; *line; line++) {
        snprintf(quantity, sizeof quantity, "%c against Ghia et al., Re %g, max", *line, re);
        print_row(v, &s, quantity, ghia_deviation(&s, f, *line), bound, "");
    }
    print_mass_drift(v, &s, f);
    free(f);
    destroy_scenario(&s);
}

/** Case 2D-1 of Schaefer & Turek 1996 with ten cells a diameter, which leaves five percent or so. */
static void validate_channel_cylinder(Validation *v)
{
    Scenario s = create_scenario(find_flow("channel_cylinder"), (Parameters){.width = 222, .height = 43});
    float *f = result_of(v, &s, 6000);
    Links links = find_links(&s);
    const Force force = force_on_bodies(&s, &links, f, 6000.0);
    print_row(v, &s, "drag against Schaefer & Turek", fabs(force.drag / 5.5795 - 1.0), 0.08, "");
    print_row(v, &s, "lift against theirs", fabs(force.lift - 0.0106), 0.0100, "");
    destroy_links(&links);
    free(f);
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
