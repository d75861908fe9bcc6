#include "program/run.h"
#include "gpu/device.h"
#include "host/allocate.h"
#include "host/clock.h"
#include "host/fail.h"
#include "host/interrupt.h"
#include "host/standard_output.h"
#include "output/checkpoint.h"
#include "program/commands.h"
#include "ranks/ranks.h"
#include "stage/stages.h"
#include "stage/unsupported.h"
#include "studies/accuracy.h"

#include <limits.h>
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

static const Kind field_name = {set_field, "speed, vorticity, ux, uy, rho, or uz in space"};

static int set_slice(void *target, const char *text)
{
    Slice *slice = target;
    long at;
    if (*text < 'x' || *text > 'z' || text[1] != '=' || !integer.set(&at, text + 2) || at > INT_MAX)
        return 0;
    *slice = (Slice){*text - 'x', (int)at};
    return 1;
}

static const Kind slice_of_cells = {set_slice, "x=N, y=N or z=N, N an integer from 0 on"};

static const Option options[] = {
    OPTION("--size", "WxHxD", grid_size, parameters, "cells, walls included; W: a square or a cube"),
    OPTION("--re", "RE", positive_number, parameters.re, "Reynolds number; excludes --tau"),
    OPTION("--tau", "TAU", positive_number, parameters.tau, "relaxation time, above 0.5; excludes --re"),
    OPTION("--u", "U", positive_number, parameters.u, "reference speed, cells a step"),
    OPTION("--ca", "CA", positive_number, parameters.ca, "capillary number of a capsule"),
    OPTION("--capsules", "N", positive_integer, parameters.capsules, "how many there are; default 1"),
    OPTION("--steps", "N", integer, steps,
           "last step, counted from the start of the flow; default: as long as it takes"),
    OPTION("--steady", "TOL", positive_number, steady,
           "end when 1000 steps change the velocity by at most TOL"),
    OPTION("--block", "BXxBY", block_shape, block, "threads of a block on the GPU; default 32x8"),
    OPTION("--circle", "X,Y,R", circle, parameters.bodies, "a round body in the stream; may be repeated"),
    OPTION("--box", "X,Y,W,H", box, parameters.bodies,
           "W x H cells, X,Y the lower left one; may be repeated"),
    OPTION("--mask", "F.png", file_name, mask, "a mask: dark pixels are bodies, a pixel a cell"),
    OPTION("--forces", "F.csv", file_name, forces,
           "write columns step,drag,lift (coefficients); in space, side too"),
    OPTION("--shape", "F.csv", file_name, shape,
           "write columns step,deformation,inclination,volume,angle,force of a membrane"),
    OPTION("--probe", "X,Y", cell_position, probe,
           "a cell whose velocity is recorded, in space X,Y,Z; may be repeated"),
    OPTION("--probes", "F.csv", file_name, probes, "write columns step,x,y,ux,uy of all probes"),
    OPTION("--sample", "K", positive_integer, sample,
           "steps between their rows; default length / (40 u), in whole cycles"),
    OPTION("--vtk", "F.vti", file_name, vtk, "write density, velocity, pressure, vorticity for ParaView"),
    OPTION("--png", "F.png", file_name, png, "write a picture with title, colour bar and numbers"),
    OPTION("--pixels", "F.png", file_name, pixels, "write one pixel a cell, and nothing around them"),
    OPTION("--plot", "F.svg", file_name, plot,
           "plot velocity across the middle, forces and --steady's changes"),
    OPTION("--csv", "F.csv", file_name, csv, "write columns x,y,rho,ux,uy, one row a cell"),
    OPTION("--field", "FIELD", field_name, field,
           "what is shown: speed (default), vorticity, ux, uy, uz, rho"),
    OPTION("--slice", "z=N", slice_of_cells, slice,
           "in space: show the cells with this z, or x=N, y=N; default: the middle z"),
    OPTION("--scale", "MAX", positive_number, scale,
           "colours go to MAX: speed 0 to MAX, rho 1 +- MAX, others +- MAX"),
    OPTION("--streamlines", NULL, flag, streamlines, "draw streamlines into the picture"),
    OPTION("--every", "K", positive_integer, every,
           "write vtk, csv and pictures every K steps, numbered, and at the end"),
    OPTION("--checkpoint", "F.vti", file_name, checkpoint, "write at the end what a run can go on from"),
    OPTION("--save", "K", positive_integer, save,
           "write it every K steps as well, in place of the one before"),
    OPTION("--restart", "F.vti", file_name, restart,
           "go on from there; takes the options that it was made with"),
    OPTION("--watch", NULL, flag, watch, "show the flow in the terminal while it runs"),
    OPTION("--quiet", NULL, flag, quiet, "print nothing but warnings and errors"),
    {0},
};

enum { PROBE_TEXT = 40 };

/** A probe as it is given: "5,6", or "5,6,7" with a z. */
static const char *text_of(Position probe, char text[PROBE_TEXT])
{
    const int used = snprintf(text, PROBE_TEXT, "%d,%d", probe.x, probe.y);
    if (probe.z >= 0)
        snprintf(text + used, (size_t)(PROBE_TEXT - used), ",%d", probe.z);
    return text;
}

/** Refuses options that lack the one they belong to. */
static void check_settings(const Settings *s, int in_space)
{
    char probe[PROBE_TEXT];
    if (!*s->png && !*s->pixels && !s->watch && s->field != FIELD_COUNT)
        fail(EXIT_USAGE, "--field %s changes nothing without --png, --pixels or --watch",
             field_names[s->field]);
    if (!*s->png && !*s->pixels && !s->watch && s->slice.axis >= 0)
        fail(EXIT_USAGE, "--slice %c=%d changes nothing without --png, --pixels or --watch",
             "xyz"[s->slice.axis], s -> slice.at);
    if (!*s->png && !*s->pixels && s->scale > 0.0)
        fail(EXIT_USAGE, "--scale %g changes nothing without --png or --pixels", s->scale);
    if (!*s->png && s->streamlines)
        fail(EXIT_USAGE, "--streamlines changes nothing without --png");
    if (!*s->vtk && !*s->png && !*s->pixels && !*s->csv && s->every)
        fail(EXIT_USAGE, "--every %ld changes nothing without --vtk, --png, --pixels or --csv", s->every);
    if (!*s->checkpoint && s->save)
        fail(EXIT_USAGE, "--save %ld changes nothing without --checkpoint F.vti", s->save);
    if (!*s->forces && !*s->probes && !*s->shape && s->sample)
        fail(EXIT_USAGE, "--sample %ld changes nothing without --forces, --probes or --shape", s->sample);
    if (s->probe.count > 0 && !*s->probes && !(in_space && *s->plot))
        fail(EXIT_USAGE, "--probe %s lacks --probes F.csv, the file for its velocity%s",
             text_of(s->probe.cell[0], probe), in_space ? ", or --plot F.svg" : "");
    if (*s->probes && s->probe.count == 0)
        fail(EXIT_USAGE, "--probes %s lacks --probe X,Y%s, where the velocity is taken", s->probes,
             in_space ? ",Z" : "");
    if (s->watch && !is_terminal(STDOUT_FILENO))
        fail(EXIT_USAGE, "--watch draws in a terminal, and standard output is none%s",
             isatty(STDOUT_FILENO) ? " that can move its cursor: TERM=dumb" : "");
}

/** Refuses a tolerance that a stage with stochastic rounding may never reach. */
static void check_tolerance(const Stage *stage, double tolerance)
{
    const double least = change_by_rounding(stage);
    if (stage->rounding == STOCHASTIC && tolerance > 0.0 && tolerance < least)
        fail(EXIT_USAGE,
             "--steady %g may be lost in the noise of %s, which rounds stochastically: it takes %.9g or more",
             tolerance, stage->name, least);
}

static void check_probe(const Scenario *s, Position probe)
{
    const int in_space = is_in_space(s);
    const Position last = {s->width - 1, s->height - 1, in_space ? s->depth - 1 : -1};
    char text[PROBE_TEXT], text_of_last[PROBE_TEXT];
    text_of(probe, text);
    if (in_space != (probe.z >= 0))
        fail(EXIT_USAGE, "--probe %s %s z: %s takes %s", text, in_space ? "lacks its" : "has a",
             s->flow->name, in_space ? "X,Y,Z" : "X,Y");
    if (probe.x > last.x || probe.y > last.y || probe.z > last.z)
        fail(EXIT_USAGE, "--probe %s lies outside the grid, whose last cell is %s", text,
             text_of(last, text_of_last));
    probe.z = in_space ? probe.z : 0;
    if (is_wall(s->type[cell_at(s, probe)]))
        fail(EXIT_USAGE, "--probe %s lies in a wall or a body: put it into the fluid", text);
}

static void check_view(const Scenario *s, const Settings *settings)
{
    const Slice slice = settings->slice;
    const char *const name = s->flow->name;
    if (!is_in_space(s) && settings->field == UZ)
        fail(EXIT_USAGE, "--field uz: %s is a plane flow: it takes speed, vorticity, ux, uy or rho", name);
    if (is_in_space(s) && settings->streamlines)
        fail(EXIT_USAGE,
             "--streamlines: %s also flows across a slice, which has no stream function: plane flows take it",
             name);
    if (slice.axis < 0)
        return;
    if (!is_in_space(s))
        fail(EXIT_USAGE, "--slice %c=%d: %s is a plane flow: flows in space take it", "xyz"[slice.axis],
             slice.at, name);
    if (slice.at >= side_of(s, slice.axis))
        fail(EXIT_USAGE, "--slice %c=%d lies outside the grid: it takes %c=0 to %c=%d", "xyz"[slice.axis],
             slice.at, "xyz"[slice.axis], "xyz"[slice.axis], side_of(s, slice.axis) - 1);
}

static void check_flow(const Scenario *s, const Settings *settings)
{
    if (*settings->forces && !s->flow->body)
        fail(EXIT_USAGE, "--forces %s: %s has no body for a force to act on", settings->forces,
             s->flow->name);
    if (*settings->shape && !has_membrane(s->flow))
        fail(EXIT_USAGE, "--shape %s: %s has no membrane; the flow \"capsule\" has one", settings->shape,
             s->flow->name);
    for (int n = 0; n < settings->probe.count; n++)
        check_probe(s, settings->probe.cell[n]);
    check_view(s, settings);
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

/** Refuses a run that is over before it gives what was asked for. */
static void check_steps(const Run *run)
{
    const long first = run->first, last = run->steps;
    const long check = (first / CHECK_INTERVAL + (first % CHECK_INTERVAL != 0)) * CHECK_INTERVAL;
    if (last < first)
        fail(EXIT_USAGE, "\"%s\" is at step %ld, and the run ends at step %ld: --steps takes %ld or more",
             run->settings->restart, first, last, first);
    if (run->settings->steady > 0.0 && last < check + CHECK_INTERVAL)
        fail(EXIT_USAGE,
             "--steps %ld is too few for --steady, which compares every %d steps: it takes %ld or more", last,
             CHECK_INTERVAL, check + CHECK_INTERVAL);
    if (run->sample && last / run->sample == first / run->sample)
        fail(EXIT_USAGE,
             "a row every %ld steps makes none from step %ld to %ld: --sample takes less, or --steps more",
             run->sample, first, last);
}

static void resume(Run *run)
{
    Real *f = allocate(population_count(&run->scenario) * sizeof *f);
    run->first = run->step = read_checkpoint(run->settings->restart, &run->scenario, f);
    run->scenario.start = (Start){.f = f, .step = run->step};
}

static void fail_unsteady(const Run *run)
{
    if (run->checks == 0)
        fail(EXIT_CHECK, "not steady by step %ld: it takes %d steps to tell", run->step, CHECK_INTERVAL);
    const Change last = run->changes[run->checks - 1];
    if (isinf(last.change))
        fail(EXIT_CHECK, "not steady by step %ld: %d steps before step %g, all was at rest", run->step,
             CHECK_INTERVAL, last.step);
    fail(EXIT_CHECK,
         "not steady by step %ld: in the %d steps up to %g the velocity changed by %.2g, %g was asked for",
         run->step, CHECK_INTERVAL, last.step, last.change, run->settings->steady);
}

/** Says how the run ended, if not as planned; returns the exit code. */
static int judge(const Run *run)
{
    if (run->interrupted) {
        fprintf(stderr, "lbm: interrupted at step %ld of %ld (%s);%s%s\n", run->step, run->steps,
                stop_reason(), *run->wrote ? " wrote" : " no output was asked for", run->wrote);
        return stop_code();
    }
    if (run->settings->steady > 0.0 && !is_steady(run))
        fail_unsteady(run);
    return EXIT_GOOD;
}

/** The mask becomes one of the bodies; where --size is not given, the grid gets its size. */
static void take_mask(Settings *s)
{
    Parameters *p = &s->parameters;
    if (!can_read_png())
        fail(EXIT_USAGE, "--mask %s: this build lacks libpng (Debian: apt install libpng-dev, build again)",
             s->mask);
    p->bodies.mask = read_mask(s->mask);
    if (p->width == 0) {
        p->width = p->bodies.mask.width;
        p->height = p->bodies.mask.height;
    }
}

/** Reads the command line, and checks what does not depend on the grid. */
static const Flow *parse(Settings *s, Run *run, int count, char **arguments)
{
    count = parse_options(options, s, count, arguments);
    if (count < 2)
        fail(EXIT_USAGE, "run takes a stage and a scenario; \"lbm list\" shows them");
    if (count > 2)
        fail(EXIT_USAGE, "run takes a stage and a scenario, not \"%s\" as well", arguments[2]);
    run->stage = parse_stage(arguments[0]);
    const Flow *flow = parse_flow(arguments[1]);
    check_lattice(run->stage, flow);
    check_settings(s, flow->lattice->dimensions == 3);
    check_tolerance(run->stage, s->steady);
    if (*s->mask)
        add_input(s->mask);
    name_files(s, flow);
    check_paths(s);
    return flow;
}

/** Fixes the flow's parameters, and then its cells. */
static void resolve(Settings *s, Run *run, const Flow *flow)
{
    if (*s->mask)
        take_mask(s);
    run->scenario = resolve_scenario(flow, s->parameters);
    check_grid(run->stage, run->scenario.width, run->scenario.height);
    const double populations = directions_of(&run->scenario) * sizeof(Real), velocity = 3 * sizeof(Real);
    check_memory(run->stage, &run->scenario, runs_on_ranks(run->stage) ? rank_count() : 1,
                 *s->restart ? populations : 0.0, s->steady > 0.0 ? velocity : 0.0);
    if (runs_on_gpu(run->stage))
        check_block(run->scenario.width, run->scenario.height, s->block);
    create_cells(&run->scenario);
    check_flow(&run->scenario, s);
    if (s->field == FIELD_COUNT)
        s->field = SPEED;
    if (s->slice.axis < 0)
        s->slice = middle_slice(&run->scenario);
}

/** Fixes the first and the last step, and those at which samples are taken. */
static void set_steps(Run *run)
{
    const Settings *s = run->settings;
    if (*s->restart)
        resume(run);
    run->steps = last_step(run);
    if (*s->forces || *s->probes || *s->shape)
        run->sample = s->sample ? s->sample : sampling_interval(&run->scenario, run->stage->cycle);
    check_steps(run);
}

static int run_flow(int count, char **arguments)
{
    Settings settings = {
        .steps = -1, .block = default_block, .field = FIELD_COUNT, .slice = {-1, 0}
    };
    Run run = {.settings = &settings, .spent.begin = now()};
    const Flow *flow = parse(&settings, &run, count, arguments);
    resolve(&settings, &run, flow);
    set_steps(&run);
    check_outputs(&settings);
    read_list(&run);

    defer_signals();
    begin_steps(&run);
    warn(&run.scenario);
    if (!settings.quiet)
        print_head(&run);
    go_through_steps(&run);
    if (!settings.quiet)
        print_report(&run);
    const int exit_code = judge(&run);
    destroy_snapshot(&run.result);
    free(run.changes);
    destroy_time_series(&run.series);
    free(run.listed.step);
    free((Real *)run.scenario.start.f);
    destroy_mask(&settings.parameters.bodies.mask);
    destroy_scenario(&run.scenario);
    return exit_code;
}

const Command run_command = {
    "run",
    "STAGE SCENARIO [OPTION|@FILE ...]",
    "runs a flow in a stage",
    options,
    "  @FILE                 read options from FILE: one a line, no quotes needed; # begins a comment\n"
    "\nFlows in space write z and uz as well, and for ParaView the Q criterion, which shows vortices. In a\n"
    "picture of a slice the first of the two axes left points to the right, the second up. A plot follows\n"
    "the lines along the axes through the middle of the grid, or through the first --probe.\n"
    "\nIn a stage that rounds stochastically the velocity never comes to rest: of the two results that\n"
    "--steady compares, each may be off by the stage's epsilon. There it takes two epsilon or more.\n"
    "\nA run that goes on from a checkpoint begins at its step: after 4000 steps, --steps 10000\n"
    "makes 6000 more. Tables begin behind the checkpoint: give them new names, or the old ones are "
    "replaced.\n"
    "\nOf an option given twice the last one counts, unless it may be repeated. Ctrl-C (SIGINT, SIGTERM,\n"
    "SIGHUP) ends the run at the next step, writes the files asked for, and gives exit code 128 + the\n"
    "signal's number; a second SIGINT or SIGTERM ends the program at once. A standard output that fails on\n"
    "the way ends the run like the first signal, with its files: exit code 3 for a full disk, 141 (SIGPIPE)\n"
    "for a pipe that nobody reads any longer.\n",
    run_flow,
};
