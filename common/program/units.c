#include "flow/units.h"
#include "host/fail.h"
#include "program/commands.h"
#include "stage/stages.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    MeasuredFlow flow;
    long cells;
    double u;
} Settings;

/* ---- Options ---- */

static const double most_re = 1e12; // and its inverse the least: between bacteria and weather all have room

static const double least_quantity = 1e-30;
static const long most_cell_number = INT_MAX - 2; // with two walls more, an option --size can have it

static int set_quantity(void *target, const char *text)
{
    return positive_number.set(target, text) && *(double *)target >= least_quantity &&
           *(double *)target <= 1.0 / least_quantity;
}

static int set_cells(void *target, const char *text)
{
    return positive_integer.set(target, text) && *(long *)target <= most_cell_number;
}

static const Kind quantity = {set_quantity, "a decimal number from 1e-30 to 1e30"};
static const Kind cell_number = {set_cells, "an integer from 1 to 2147483645"};

static const Option options[] = {
    OPTION("--length", "L", quantity, flow.length, "length of the Reynolds number, in m"),
    OPTION("--speed", "V", quantity, flow.speed, "speed of the flow, in m/s"),
    OPTION("--viscosity", "NU", quantity, flow.viscosity, "kinematic, in m^2/s; water has about 1e-6"),
    OPTION("--cells", "N", cell_number, cells, "cells along the length"),
    OPTION("--u", "U", quantity, u, "the speed in cells a step; default 0.1"),
    {0},
};

static void check_settings(const Settings *s)
{
    const char *const lacking = s->flow.length == 0.0      ? "--length L, in m"
                                : s->flow.speed == 0.0     ? "--speed V, in m/s"
                                : s->flow.viscosity == 0.0 ? "--viscosity NU, in m^2/s"
                                : s->cells == 0            ? "--cells N, along the length"
                                                           : NULL;
    if (lacking)
        fail(EXIT_USAGE, "units lacks %s", lacking);
    const double re = s->flow.length * s->flow.speed / s->flow.viscosity;
    if (!(re >= 1.0 / most_re && re <= most_re))
        fail(EXIT_USAGE,
             "length %g, speed %g and viscosity %g make the Reynolds number %g: it must be from %g to %g",
             s->flow.length, s->flow.speed, s->flow.viscosity, re, 1.0 / most_re, most_re);
}

/* ---- What it prints ---- */

/** What the same takes in three dimensions, in the first stage that has them. */
static void print_cube(const LatticeFlow *l)
{
    int n = 0;
    while (n < stage_count && stages[n]->lattice->dimensions == 2)
        n++;
    if (n == stage_count)
        return;
    const double cube = pow(l->cells, 3.0), bytes = stages[n]->bytes_per_cell;
    if (cube > (double)most_cells)
        printf("in space  no run: a cube of that side has %.3g cells, and a grid holds at most %zu\n", cube,
               most_cells);
    else
        printf("in space  %.3g MiB for a cube of that side, at the %g bytes a cell of %s; %.4g million "
               "updates\n",
               bytes * cube / 1048576.0, bytes, stages[n]->name, 1e-6 * cube / l->dt);
}

static void print_numbers(const LatticeFlow *l)
{
    printf("Re        %.6g\n", l->re);
    printf("dx        %.6g m\n", l->dx);
    printf("dt        %.6g s\n", l->dt);
    printf("u         %.6g cells a step\n", l->u);
    printf("nu        %.6g\n", l->nu);
    printf("tau       %.9g\n", l->tau);
    printf("Mach      %.3g\n", l->mach);
    printf("cell Re   %.3g\n", l->cell_re);
    printf("slip      %.2g of the speed, at walls so far apart\n", fabs(l->slip));
    printf("steps     %.6g for a second, %.6g while the flow goes its length\n", 1.0 / l->dt,
           l->cells / l->u);
    const double square = l->cells * l->cells, bytes = stages[0]->bytes_per_cell;
    printf("memory    %.3g MiB for a square of that side, at the %g bytes a cell of %s\n",
           bytes * square / 1048576.0, bytes, stages[0]->name);
    printf("work      %.4g million updates of cells for a second of it\n", 1e-6 * square / l->dt);
    print_cube(l);
}

/** Two of what would keep a limit; "" for what can't. */
typedef struct {
    char first[64], second[64];
} Advice;

static void advise_cells(char text[64], double cells)
{
    if (cells <= most_cells_a_side())
        snprintf(text, 64, "at least %.12g cells", cells);
}

/** What would keep a limit, all else being the same. */
static Advice advice_for(LimitedNumber number, const LatticeFlow *l, const MeasuredFlow *flow)
{
    Advice a = {"", ""};
    const double slowest = slowest_u(l->re, l->cells),
                 speed = round_down(most_cell_re() * l->cells * flow->viscosity / flow->length);
    if (number == CELLS || number == CELL_RE)
        advise_cells(a.first, number == CELLS ? least_cells : fewest_cells(l->re));
    if (number == CELL_RE && speed >= least_quantity)
        snprintf(a.second, sizeof a.second, "a speed of at most %.3g m/s", speed);
    if (number == LATTICE_SPEED || number == SLIP)
        snprintf(a.first, sizeof a.first, "--u %.3g at most",
                 number == SLIP ? fastest_u(l->re, l->cells) : most_u);
    if (number == TAU)
        advise_cells(a.first, fewest_cells_for_tau(l->re, l->u));
    if (number == TAU && slowest <= most_u)
        snprintf(a.second, sizeof a.second, "--u %.3g at least", slowest);
    return a;
}

/** Prints a number with five digits, or as many as it takes to see that it does not keep its limit. */
static void print_passed(const Limit *limit)
{
    char text[32];
    for (int digits = 5; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, limit->number);
        const double shown = strtod(text, NULL);
        if (limit->is_least ? shown < limit->limit : shown > limit->limit)
            break;
    }
    printf("change    %s %s is %s %g: ", limit->name, text, limit->is_least ? "below" : "above",
           limit->limit);
}

/** Says of each limit that is passed what would keep it, and whether a run takes the flow. */
static void print_changes(const LatticeFlow *l, const MeasuredFlow *flow)
{
    char reason[REASON_SIZE];
    for (LimitedNumber n = 0; n < LIMIT_COUNT; n++) {
        const Limit limit = limit_of(l, n);
        if (is_kept(&limit))
            continue;
        const Advice a = advice_for(n, l, flow);
        print_passed(&limit);
        printf("%s%s%s\n", *a.first || *a.second ? a.first : "a smaller Reynolds number",
               *a.first && *a.second ? ", or " : "", a.second);
    }
    if (!fits_a_run(l, reason))
        printf("change    run refuses it: %s\n", reason);
}

/** Numbers that are good, for a flow that keeps its Reynolds number. */
static void print_good_numbers(const LatticeFlow *l)
{
    const double fewest = fewest_cells(l->re), most = most_cells_a_side();
    const double cells = fmin(fmax(l->cells, fewest), most);
    if (fewest <= most)
        printf("good      --cells %.12g with --u from %.3g to %.3g\n", cells, slowest_u(l->re, cells),
               fastest_u(l->re, cells));
    else
        printf("good      none: Re %.6g takes %.12g cells, and the finest square grid has %g between its "
               "walls, enough for Re %.3g\n",
               l->re, fewest, most, round_down(most_cell_re() * most));
}

/** A number with as few digits as give it back. */
static const char *shortest(double number)
{
    static char text[32];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    return text;
}

static int units(int count, char **arguments)
{
    Settings settings = {.u = 0.1};
    if (parse_options(options, &settings, count, arguments) > 0)
        fail(EXIT_USAGE, "units takes options alone, \"%s\" was given", arguments[0]);
    check_settings(&settings);
    const LatticeFlow l = on_lattice(&settings.flow, (double)settings.cells, settings.u);
    print_numbers(&l);
    print_changes(&l, &settings.flow);
    if (is_good_for_a_run(&l))
        printf("good      for a run: --re %.12g --u %s, and %ld cells along the length\n", l.re,
               shortest(l.u), settings.cells);
    else
        print_good_numbers(&l);
    return EXIT_GOOD;
}

const Command units_command = {
    "units",
    "OPTION ... [@FILE ...]",
    "turns SI units into those of the lattice",
    options,
    "  @FILE                 read options from FILE\n"
    "\nIn lattice units a cell and a step measure 1, the speed of sound is c_s = 1 / sqrt(3), and\n"
    "tau = 1/2 + 3 nu. Limits, for the collision of the first stage:\n"
    "  cells      10 or more\n"
    "  u          up to 0.1, Mach 0.17: the density differs by half the square of the Mach number, 1.5%\n"
    "  tau        0.505 or more: what is no flow takes the longer to fade the closer tau is to 1/2\n"
    "  cell Re    u / nu up to 14: what a cavity with its corners was seen to bear; Krueger et al. 2017\n"
    "             have about 10; flows without corners bear more\n"
    "  slip       of half-way walls, (16/3 (tau - 1/2)^2 - 1) / N^2 up to 0.01 (He et al. 1997)\n"
    "And run must take a square with so many cells between its walls.\n"
    "Where a limit is not kept, a line \"change\" says what would keep that one, and \"good\" what keeps "
    "all.\n",
    units,
};
