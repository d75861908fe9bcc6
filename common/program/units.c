#include "units.h"
#include "commands.h"
#include "fail.h"
#include "stages.h"

#include <math.h>
#include <stdio.h>

typedef struct {
    MeasuredFlow flow;
    long cells;
    double u;
} Settings;

/* ---- Options ---- */

static const double most_re = 1e12; // and its inverse the least: between bacteria and weather all have room

static int set_quantity(void *target, const char *text)
{
    return positive_number.set(target, text) && *(double *)target >= 1e-30 && *(double *)target <= 1e30;
}

static const Kind quantity = {set_quantity, "a decimal number from 1e-30 to 1e30"};

static const Option options[] = {
    OPTION("--length", "L", quantity, flow.length, "length of the Reynolds number, in m"),
    OPTION("--speed", "V", quantity, flow.speed, "speed of the flow, in m/s"),
    OPTION("--viscosity", "NU", quantity, flow.viscosity, "kinematic, in m^2/s; water has about 1e-6"),
    OPTION("--cells", "N", positive_whole, cells, "cells along the length"),
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
}

/** What would bring tau away from 1/2: more speed only as far as the Mach number allows. */
static void print_tau(const LatticeFlow *l)
{
    const double u = slowest_u(l->re, l->cells);
    printf("change    tau %.9g is below %g: at least %.12g cells", l->tau, least_tau,
           ceil((least_tau - 0.5) / 3.0 * l->re / l->u));
    if (u <= most_mach / sqrt(3.0))
        printf(", or --u %.3g at least", u);
    printf("\n");
}

/** Says of each limit that is passed what would keep it, all else being the same. Returns their number. */
static int print_changes(const LatticeFlow *l, const MeasuredFlow *flow)
{
    int changes = 0;
    const double most = most_cell_re(), length = flow->length;
    if (!(l->cell_re <= most) && ++changes)
        printf("change    cell Re %.3g is above %g: at least %.12g cells, or a speed of at most %.3g m/s\n",
               l->cell_re, most, ceil(l->re / most), round_down(most * l->cells * flow->viscosity / length));
    if (!(l->mach <= most_mach) && ++changes)
        printf("change    Mach %.3g is above %g: --u %.3g at most\n", l->mach, most_mach,
               round_down(most_mach / sqrt(3.0)));
    if (!(l->tau >= least_tau) && ++changes)
        print_tau(l);
    if (!(l->slip <= most_slip) && ++changes)
        printf("change    tau %.6g is so large that walls slip by %.2g of the speed, above %g: --u %.3g at "
               "most\n",
               l->tau, l->slip, most_slip, fastest_u(l->re, l->cells));
    if (!(l->slip >= -most_slip) && ++changes)
        printf("change    walls slip by %.2g of the speed, above %g: at least %g cells\n", -l->slip,
               most_slip, fewest_cells(0.0));
    return changes;
}

/** Numbers with which no limit is passed, for a flow that keeps its Reynolds number. */
static void print_good_numbers(const LatticeFlow *l)
{
    const double cells = fmax(l->cells, fewest_cells(l->re));
    printf("good      --cells %.12g with --u from %.3g to %.3g\n", cells, slowest_u(l->re, cells),
           fastest_u(l->re, cells));
    if (cells > LARGEST_SIZE)
        printf("          but no square grid has more than %d a side: this takes a smaller Reynolds number\n",
               LARGEST_SIZE);
}

static int units(int count, char **arguments)
{
    Settings settings = {.u = 0.1};
    if (parse_options(options, &settings, count, arguments) > 0)
        fail(EXIT_USAGE, "units takes options alone, \"%s\" was given", arguments[0]);
    check_settings(&settings);
    const LatticeFlow l = on_lattice(&settings.flow, (double)settings.cells, settings.u);
    print_numbers(&l);
    if (print_changes(&l, &settings.flow) > 0)
        print_good_numbers(&l);
    else
        printf("good      for a run: --re %.6g --u %g, and %ld cells along the length\n", l.re, l.u,
               settings.cells);
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
    "  Mach       u / c_s up to 0.3: the density differs by half its square\n"
    "  tau        0.505 or more: what is no flow takes the longer to fade the closer tau is to 1/2\n"
    "  cell Re    u / nu up to 14: what a cavity with its corners was seen to bear; Krueger et al. 2017\n"
    "             have about 10; flows without corners bear more\n"
    "  slip       of half-way walls, |16/3 (tau - 1/2)^2 - 1| / N^2 up to 0.01 (He et al. 1997)\n"
    "Where a limit is passed, a line \"change\" says what would keep that one, and \"good\" what keeps "
    "all.\n",
    units,
};
