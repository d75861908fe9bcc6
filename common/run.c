#include "commands.h"
#include "simulate.h"
#include "system.h"
#include "timing.h"
#include "validate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Options ---- */

static int set_field(void *target, const char *text)
{
    for (int n = 0; n < FIELD_COUNT; n++)
        if (strcmp(field_names[n], text) == 0) {
            *(Field *)target = (Field)n;
            return 1;
        }
    return 0;
}

static const Kind field_name = {set_field, "speed, vorticity, ux, uy or rho"};

static const Option options[] = {
    OPTION("--size", "W[xH]", grid_size, parameters, "cells, walls included"),
    OPTION("--re", "RE", positive_number, parameters.re, "Reynolds number; excludes --tau"),
    OPTION("--tau", "TAU", positive_number, parameters.tau, "relaxation time, above 0.5; excludes --re"),
    OPTION("--u", "U", positive_number, parameters.u, "reference speed, cells a step"),
    OPTION("--steps", "N", whole_number, steps, "how long it runs; default: as long as the flow takes"),
    OPTION("--steady", "TOL", positive_number, steady,
           "end when 1000 steps change the velocity by at most TOL"),
    OPTION("--block", "BXxBY", block_shape, block, "threads of a block on the GPU; default 32x8"),
    OPTION("--vtk", "F.vti", file_name, vtk, "write density and velocity for ParaView"),
    OPTION("--png", "F.png", file_name, png, "write a picture"),
    OPTION("--csv", "F.csv", file_name, csv, "write columns x,y,rho,ux,uy, one row a cell"),
    OPTION("--field", "FIELD", field_name, field, "what is shown: speed (default), vorticity, ux, uy, rho"),
    OPTION("--every", "K", positive_whole, every, "write files every K steps, numbered, and at the end"),
    OPTION("--watch", NULL, flag, watch, "show the flow in the terminal while it runs"),
    OPTION("--quiet", NULL, flag, quiet, "print nothing but warnings and errors"),
    {0},
};

/** Refuses what makes no sense together, before any time goes into the rest. */
static void check_settings(const Settings *s)
{
    const char *path[] = {s->vtk, s->png, s->csv};
    if (!*s->png && !s->watch && s->field != FIELD_COUNT)
        fail(EXIT_USAGE, "--field %s changes nothing without --png or --watch", field_names[s->field]);
    if (!*s->vtk && !*s->png && !*s->csv && s->every)
        fail(EXIT_USAGE, "--every %ld changes nothing without --vtk, --png or --csv", s->every);
    for (int n = 0; n < 3; n++)
        if (*path[n] && strcmp(path[n], path[(n + 1) % 3]) == 0)
            fail(EXIT_USAGE, "two outputs can't go to the same file \"%s\"", path[n]);
    if (s->steady > 0.0 && s->steps >= 0 && s->steps < CHECK_INTERVAL)
        fail(EXIT_USAGE, "--steps %ld is too few for --steady, which compares every %d steps", s->steps,
             CHECK_INTERVAL);
    if (*s->png && !can_write_png())
        fail(EXIT_USAGE, "--png %s: this build lacks libpng (Debian: apt install libpng-dev, build again)",
             s->png);
    if (s->watch && !isatty(STDOUT_FILENO))
        fail(EXIT_USAGE, "--watch draws in a terminal, and standard output is none");
}

static void check_outputs(const Settings *s)
{
    const char *path[] = {s->vtk, s->png, s->csv};
    for (int n = 0; n < 3; n++)
        if (*path[n]) {
            char name[NAME_SIZE];
            output_name(name, s, path[n], s->every);
            check_writable(name);
        }
}

/* ---- What the user reads ---- */

static void print_head(const Run *run)
{
    const Scenario *s = &run->scenario;
    const double bytes = run->stage->bytes_per_cell;
    printf("stage     %s: %s\n", run->stage->name, run->stage->adds);
    printf("flow      %s: %s\n", s->flow->name, s->flow->about);
    printf("size      %d x %d cells, walls included\n", s->width, s->height);
    printf("numbers   tau %.6g, nu %.6g, u %.4g, Re %.4g, Mach %.3g\n", s->tau, s->nu, s->u, s->re, s->mach);
    printf("memory    %.2f MiB, %g bytes a cell\n", bytes * (double)cell_count(s) / 1048576.0, bytes);
    printf("block     %u x %u threads\n", run->settings->block.x, run->settings->block.y);
    fflush(stdout);
}

static void warn(const Scenario *s)
{
    if (s->mach > 0.3)
        fprintf(stderr, "lbm: warning: Mach %.3g is above 0.3: the flow is compressible, its error large\n",
                s->mach);
    if (s->tau < 0.505)
        fprintf(stderr, "lbm: warning: tau %.6g is close to 0.5: the flow may diverge\n", s->tau);
}

/** How far the flow is from what is known of it. */
static void print_error(const Run *run)
{
    const double exact = exact_error(&run->scenario, run->f, (double)run->step);
    const double u = ghia_deviation(&run->scenario, run->f, 'u');
    const double v = ghia_deviation(&run->scenario, run->f, 'v');
    if (run->scenario.flow->exact && isnan(exact))
        printf("error     not defined: the analytic solution is at rest\n");
    else if (run->scenario.flow->exact)
        printf("error     %.3g (relative L2) from the analytic solution\n", exact);
    if (!isnan(u) && !isnan(v))
        printf("error     u %.4f, v %.4f of the lid speed from Ghia et al. 1982\n", u, v);
    else if (!run->scenario.flow->exact)
        printf("error     nothing is known to compare this flow with\n");
}

static void print_report(const Run *run)
{
    const Scenario *s = &run->scenario;
    printf("steps     %ld in %.3g s of solver time: %.1f MLUPS\n", run->step, run->seconds,
           mlups(s->width, s->height, (double)run->step, run->seconds));
    printf("mass      drifted by %.2g, relative\n", (total_mass(s, run->f) - run->mass) / run->mass);
    if (run->previous)
        printf("steady    velocity changed by %.2g in %d steps\n", run->change, CHECK_INTERVAL);
    print_error(run);
    if (*run->wrote)
        printf("wrote    %s\n", run->wrote);
}

/* ---- The command ---- */

/** The last step: as asked for, or as long as the flow takes, or ten times that for it to get steady. */
static long last_step(const Run *run)
{
    if (run->settings->steps >= 0)
        return run->settings->steps;
    const double duration = fmin(ceil(run->scenario.flow->duration(&run->scenario)), 1e15);
    return (long)(run->settings->steady > 0.0 ? 10.0 * fmax(duration, CHECK_INTERVAL) : duration);
}

/** Says how the run ended, if not as planned; returns the exit code. */
static int verdict(const Run *run)
{
    if (run->stopped_by) {
        fprintf(stderr, "lbm: interrupted at step %ld of %ld;%s%s\n", run->step, run->steps,
                *run->wrote ? " wrote" : " no output was asked for", run->wrote);
        return 128 + run->stopped_by;
    }
    if (run->settings->steady > 0.0 && !is_steady(run))
        fail(EXIT_CHECK, "not steady by step %ld: the velocity changed by %.2g in %d steps, %g was asked for",
             run->step, run->change, CHECK_INTERVAL, run->settings->steady);
    return EXIT_GOOD;
}

static int run_flow(int count, char **arguments)
{
    Settings settings = {.steps = -1, .block = default_block, .field = FIELD_COUNT};
    count = parse_options(options, &settings, count, arguments);
    if (count < 2)
        fail(EXIT_USAGE, "run takes a stage and a scenario; \"lbm list\" shows them");
    if (count > 2)
        fail(EXIT_USAGE, "run takes a stage and a scenario, not \"%s\" as well", arguments[2]);
    Run run = {.settings = &settings, .stage = parse_stage(arguments[0])};
    const Flow *flow = parse_flow(arguments[1]);
    check_settings(&settings);
    if (settings.field == FIELD_COUNT)
        settings.field = SPEED;
    run.scenario = create_scenario(flow, settings.parameters);
    run.steps = last_step(&run);
    check_outputs(&settings);

    warn(&run.scenario);
    if (!settings.quiet)
        print_head(&run);
    simulate(&run);
    if (!settings.quiet)
        print_report(&run);
    const int exit_code = verdict(&run);
    free(run.f);
    free(run.previous);
    destroy_scenario(&run.scenario);
    return exit_code;
}

const Command run_command = {
    "run",
    "STAGE SCENARIO [OPTION|@FILE ...]",
    "runs a flow in a stage",
    options,
    "  @FILE              read options from FILE: one a line, written as here; # begins a comment\n"
    "\nOf an option given twice the last one counts. Ctrl-C (SIGINT, SIGTERM, SIGHUP) ends the run at the\n"
    "next step, writes the files asked for, and gives exit code 128 + the signal's number; a second one\n"
    "ends the program at once.\n",
    run_flow,
};
