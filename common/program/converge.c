#include "gpu/device.h"
#include "host/allocate.h"
#include "host/fail.h"
#include "host/standard_output.h"
#include "output/figure.h"
#include "output/output_file.h"
#include "output/plot.h"
#include "program/commands.h"
#include "ranks/ranks.h"
#include "stage/stages.h"
#include "stage/unsupported.h"
#include "studies/convergence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Sizes sizes;
    char csv[PATH_SIZE], plot[PATH_SIZE];
} Settings;

static const Option options[] = {
    OPTION("--sizes", "N,...", size_list, sizes,
           "cells along the flow's length, each size above the one before"),
    OPTION("--csv", "F.csv", file_name, csv, "write the table for other programs"),
    OPTION("--plot", "F.svg", file_name, plot, "plot the errors beside second order"),
    {0},
};

/* ---- What it is given ---- */

static const Study *parse_study(const char *name)
{
    char names[1024] = "";
    const Flow *flow = parse_flow(name);
    for (int n = 0; n < study_count; n++) {
        if (strcmp(studies[n].flow, flow->name) == 0)
            return &studies[n];
        append_name(names, sizeof names, studies[n].flow);
    }
    fail(EXIT_USAGE, "nothing is known of %s that its error could be told by; converge takes %s", flow->name,
         names);
}

/** Refuses sizes that make no sense, all before any time goes into one of them. */
static void check_sizes(const Study *study, const Sizes *sizes, const Stage *stage)
{
    if (sizes->count < 2)
        fail(EXIT_USAGE, "--sizes %d is one size: an order of convergence takes two or more", sizes->size[0]);
    for (int n = 0; n < sizes->count; n++) {
        const int size = sizes->size[n];
        if (n > 0 && size <= sizes->size[n - 1])
            fail(EXIT_USAGE, "--sizes has %d after %d: each size must be above the one before", size,
                 sizes->size[n - 1]);
        if (size < study->smallest || size % study->multiple != 0)
            fail(EXIT_USAGE, "size %d makes no sense for %s: it takes multiples of %d from %d on, %s", size,
                 study->flow, study->multiple, study->smallest, study->size);
        const Scenario s = study_scenario(study, size);
        check_grid(stage, s.width, s.height);
        check_memory(stage, &s, runs_on_ranks(stage) ? rank_count() : 1, directions_of(&s) * sizeof(Real),
                     0.0);
        if (runs_on_gpu(stage))
            check_block(s.width, s.height, default_block);
    }
}

static void check_files(const Settings *s)
{
    if (*s->plot && !can_draw())
        fail(EXIT_USAGE, "--plot %s: this build lacks Cairo (Debian: apt install libcairo2-dev, build again)",
             s->plot);
    check_two_outputs(s->csv, s->plot);
}

/* ---- What it prints ---- */

static void print_head(const Study *study, const Stage *stage, int first)
{
    const Scenario s = study_scenario(study, first);
    printf("stage     %s: %s\n", stage->name, stage->summary);
    printf("flow      %s: %s\n", s.flow->name, s.flow->about);
    printf("size      %s\n", study->size);
    printf("held      Re %.6g and tau %.6g; so u goes as 1 / size, and time as its square\n", s.re, s.tau);
    printf("\n%5s %11s %8s %9s  %-40s %9s %6s\n", "size", "grid", "u", "steps", "error of", "error", "order");
    flush_standard_output();
}

/** The order of quantity q from the size before to size n; NaN for the first one. */
static double order_at(const Sizes *sizes, const Refinement *at, int n, int q)
{
    return n == 0
               ? NAN
               : order_of_convergence(at[n - 1].error[q], at[n].error[q], sizes->size[n - 1], sizes->size[n]);
}

static void print_rows(const Study *study, const Sizes *sizes, const Refinement *at, int n)
{
    for (int q = 0; q < quantity_count(study); q++) {
        const double order = order_at(sizes, at, n, q);
        printf("%5d %11s %8.4g %9ld  %-40s %9.2e", sizes->size[n], at[n].grid, at[n].u, at[n].steps,
               study->quantity[q].about, at[n].error[q]);
        if (isnan(order))
            printf(" %6s\n", "-");
        else
            printf(" %6.2f\n", order);
    }
    flush_standard_output();
}

static void write_rows(const char *path, const Study *study, const Stage *stage, const Sizes *sizes,
                       const Refinement *at)
{
    OutputFile o;
    begin_file(&o, path);
    print(&o, "stage,flow,size,width,height,depth,re,tau,u,steps,quantity,error,order\n");
    for (int n = 0; n < sizes->count; n++)
        for (int q = 0; q < quantity_count(study); q++) {
            const double order = order_at(sizes, at, n, q);
            print(&o, "%s,%s,%d,%d,%d,%d,%.9g,%.9g,%.9g,%ld,%s,%.9g,", stage->name, study->flow,
                  sizes->size[n], at[n].width, at[n].height, at[n].depth, at[n].re, at[n].tau, at[n].u,
                  at[n].steps, study->quantity[q].name, at[n].error[q]);
            if (isnan(order))
                print(&o, "\n");
            else
                print(&o, "%.9g\n", order);
        }
    finish_file(&o);
}

/** Numbers for the panel of quantity q, one for each size. */
typedef struct {
    double *size, *error, *second_order;
} Numbers;

static Numbers numbers_of(const Sizes *sizes, const Refinement *at, int q)
{
    const size_t count = (size_t)sizes->count;
    Numbers n;
    n.size = allocate(3 * count * sizeof *n.size);
    n.error = n.size + count;
    n.second_order = n.error + count;
    for (size_t k = 0; k < count; k++) {
        n.size[k] = log2(sizes->size[k]);
        n.error[k] = at[k].error[q];
        n.second_order[k] = at[0].error[q] * pow((double)sizes->size[0] / sizes->size[k], 2.0);
    }
    return n;
}

/** Plots each error beside the line of second order through the first of them, both axes logarithmic. */
static void write_convergence_plot(const char *path, const Study *study, const Stage *stage,
                                   const Sizes *sizes, const Refinement *at)
{
    const int count = quantity_count(study);
    const size_t points = (size_t)sizes->count;
    Numbers numbers[MOST_QUANTITIES];
    Panel panels[MOST_QUANTITIES];
    char axis[200];
    snprintf(axis, sizeof axis, "%s, their binary logarithm", study->size);
    for (int q = 0; q < count; q++) {
        const Numbers n = numbers[q] = numbers_of(sizes, at, q);
        panels[q] = (Panel){
            study->quantity[q].about,
            axis,
            1,
            2,
            {{"error", n.size, n.error, points, 1, 1}, {"order 2", n.size, n.second_order, points, 1, 0}}
        };
    }
    char caption[200];
    snprintf(caption, sizeof caption, "Re %.4g, tau %.4g, %s", at[0].re, at[0].tau, stage->name);
    write_plot(path, study->flow, caption, panels, count);
    for (int q = 0; q < count; q++)
        free(numbers[q].size);
}

/* ---- The command ---- */

static int converge(int count, char **arguments)
{
    Settings settings = {.csv = "", .plot = ""};
    count = parse_options(options, &settings, count, arguments);
    if (count < 2)
        fail(EXIT_USAGE, "converge takes a stage and a scenario; \"lbm list\" shows them");
    if (count > 2)
        fail(EXIT_USAGE, "converge takes a stage and a scenario, not \"%s\" as well", arguments[2]);
    const Stage *stage = parse_stage(arguments[0]);
    const Study *study = parse_study(arguments[1]);
    check_lattice(stage, find_flow(study->flow));
    Sizes *sizes = &settings.sizes;
    if (sizes->count == 0)
        for (const int *size = study->sizes; *size; size++)
            sizes->size[sizes->count++] = *size;
    check_sizes(study, sizes, stage);
    check_files(&settings);

    print_head(study, stage, sizes->size[0]);
    Refinement *at = allocate((size_t)sizes->count * sizeof *at);
    for (int n = 0; n < sizes->count; n++) {
        at[n] = refine(study, stage, default_block, sizes->size[n]);
        print_rows(study, sizes, at, n);
    }
    if (*settings.csv)
        write_rows(settings.csv, study, stage, sizes, at);
    if (*settings.plot)
        write_convergence_plot(settings.plot, study, stage, sizes, at);
    free(at);
    return EXIT_GOOD;
}

const Command converge_command = {
    "converge",
    "STAGE SCENARIO [OPTION|@FILE ...]",
    "shows how a flow's error falls with its grid",
    options,
    "\nIt takes the flows that something is known of. A size counts\n"
    "  poiseuille         rows of fluid; 8,16,32,64 where none is named. Against the parabola\n"
    "  cavity             fluid cells a side; 16,32,64. Against Marchi et al. 2009 and Ghia et al. 1982 at\n"
    "                     Re 100; the latter give few digits, and errors do not fall below theirs\n"
    "  taylor_green       cells a side; 16,32,64,128. Against the analytic solution, after one decay time\n"
    "  channel_cylinder   cells a diameter, multiples of 10; 10,20. Against Schaefer & Turek 1996, when the\n"
    "                     flow has gone 30 diameters\n"
    "  duct               rows of fluid; 8,16,32. Against the exact series, when it is steady\n"
    "  abc                cells a side; 12,24,48. Against the analytic solution, after one decay time\n"
    "  cube               fluid cells a side of one layer, which is the plane cavity; 16,32. Against what\n"
    "                     cavity is compared with\n"
    "  sphere             cells a diameter, in a box of 10 x 6 x 6 of them at Re 100; 4,8. Against Clift, "
    "Grace\n"
    "                     & Weber 1978, when the stream has gone 12 diameters. On a GPU take 16,32,64\n"
    "Reynolds number and tau are held, so u goes as 1 / size and a time of the flow takes size^2 steps:\n"
    "diffusive scaling (Krueger et al. 2017, chapters 4 and 7). The error of compressibility goes as u^2, "
    "and\n"
    "so falls as fast as that of the grid. The order is log(error before / error) / log(size / size "
    "before).\n"
    "The first two run until a tenth of the time length^2 / nu changes the velocity by 1e-5 at most, and "
    "what\n"
    "rounding keeps moving. Ctrl-C ends it; rows so far are printed, and no file is written.\n",
    converge,
};
