#include "run_steps.h"

#include "allocate.h"
#include "clock.h"
#include "fail.h"
#include "progress.h"
#include "screen.h"
#include "statistics.h"
#include "validate.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const double pause_interval = 0.05; // seconds of solver time between two looks at the clock
static const double frame_interval = 0.1;

/* ---- Signals ---- */

static volatile sig_atomic_t stop_signal;

/** The first one asks for an end at the next pause, a second one ends the program at once. */
static void on_signal(int number)
{
    if (stop_signal) {
        restore_screen();
        discard_output();
        signal(number, SIG_DFL);
        raise(number);
    }
    stop_signal = number;
}

static void catch_signals(void)
{
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (int n = 0; n < 3; n++) {
        struct sigaction action;
        sigaction(numbers[n], NULL, &action);
        if (action.sa_handler == SIG_IGN) // as under nohup
            continue;
        action = (struct sigaction){.sa_handler = on_signal, .sa_flags = SA_RESTART};
        sigaction(numbers[n], &action, NULL);
    }
}

/* ---- The populations and what is made of them ---- */

/** Makes run->f the populations of now. */
static void refresh(Run *run)
{
    if (run->read_at != run->step)
        run->stage->read(run->solver, run->f);
    run->read_at = run->step;
}

static void check(Run *run)
{
    refresh(run);
    if (is_sane(&run->scenario, run->f))
        return;
    clear_progress();
    fail(EXIT_CHECK,
         "the flow diverged by step %ld; usual causes: tau near 0.5 (here %.6g), high Mach (here %.3g)",
         run->step, run->scenario.tau, run->scenario.mach);
}

int is_steady(const Run *run)
{
    return run->settings->steady > 0.0 && run->change <= run->settings->steady;
}

static void compare(Run *run)
{
    if (!run->previous)
        return;
    run->change = relative_change(&run->scenario, run->f, run->previous);
    memcpy(run->previous, run->f, 9 * cell_count(&run->scenario) * sizeof(float));
}

void output_name(char name[NAME_SIZE], const Settings *settings, const char *path, long step)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    if (!dot || dot == base)
        dot = base + strlen(base);
    if (settings->every)
        snprintf(name, NAME_SIZE, "%.*s_%08ld%s", (int)(dot - path), path, step, dot);
    else
        snprintf(name, NAME_SIZE, "%s", path);
}

/** Puts a name at the end of the list of those written. */
static const char *listed(Run *run, const char *name)
{
    char *end = run->wrote + strlen(run->wrote);
    snprintf(end, (size_t)(run->wrote + sizeof run->wrote - end), " %s", name);
    return end + 1;
}

/** Name of an output at this step. */
static const char *next_output(Run *run, const char *path)
{
    char name[NAME_SIZE];
    output_name(name, run->settings, path, run->step);
    return listed(run, name);
}

static void write_outputs(Run *run)
{
    const Settings *s = run->settings;
    check(run);
    clear_progress();
    run->wrote[0] = '\0';
    if (*s->vtk)
        write_vtk(next_output(run, s->vtk), &run->scenario, run->f);
    if (*s->png)
        write_png(next_output(run, s->png), &run->scenario, run->f, s->field);
    if (*s->csv)
        write_csv(next_output(run, s->csv), &run->scenario, run->f);
}

/** What was recorded over time, at the end of the run. */
static void write_series(Run *run)
{
    const Settings *s = run->settings;
    if (*s->forces)
        write_forces(listed(run, s->forces), &run->series);
    if (*s->probes)
        write_probes(listed(run, s->probes), &run->series);
}

/** Takes a sample; tells the force about ten times in a run. */
static void sample(Run *run)
{
    refresh(run);
    take_sample(&run->series, run->f, run->step);
    const long samples = run->steps / 10 / run->sample, tell = run->sample * (samples > 0 ? samples : 1);
    if (run->settings->quiet || run->settings->watch || !run->series.links.count || run->step % tell != 0)
        return;
    const Force *now = &run->series.force[run->series.samples - 1];
    clear_progress();
    printf("step      %ld: drag %.4f, lift %.4f\n", run->step, now->drag, now->lift);
    fflush(stdout);
}

static void show(Run *run)
{
    static double shown_at;
    const Scenario *s = &run->scenario;
    const Settings *settings = run->settings;
    if (!settings->watch && !settings->quiet)
        show_progress((double)cell_count(s), (double)run->step, (double)run->steps, run->seconds);
    if (!settings->watch || now() - shown_at < frame_interval)
        return;
    shown_at = now();
    refresh(run);
    char text[256], left[TIME_SIZE], force[64] = "";
    format_time(left, run->seconds / (double)run->step * (double)(run->steps - run->step));
    if (run->series.samples && run->series.links.count) {
        const Force *last = &run->series.force[run->series.samples - 1];
        snprintf(force, sizeof force, ", drag %.3f, lift %.3f", last->drag, last->lift);
    }
    snprintf(text, sizeof text, "step %ld of %ld, %s left, %.1f MLUPS, Re %.4g%s; Ctrl-C ends it", run->step,
             run->steps, left, mlups((double)cell_count(s), (double)run->step, run->seconds), s->re, force);
    show_frame(s, run->f, settings->field, text);
}

/* ---- The way through the steps ---- */

/** The first step after this one at which there is something to do. */
static long next_stop(const Run *run)
{
    const long every = run->settings->every, step = run->step;
    long stop = (step / CHECK_INTERVAL + 1) * CHECK_INTERVAL;
    if (every && step / every * every < stop - every)
        stop = (step / every + 1) * every;
    if (run->sample && step / run->sample * run->sample < stop - run->sample)
        stop = (step / run->sample + 1) * run->sample;
    return stop < run->steps ? stop : run->steps;
}

/** Advances up to the next stop, but about a pause_interval at most; `pace` is how many steps that is. */
static void advance(Run *run, double *pace)
{
    const int steps = (int)fmin(*pace, (double)(next_stop(run) - run->step));
    const double start = now();
    run->stage->advance(run->solver, steps);
    const double seconds = now() - start;
    run->seconds += seconds;
    run->step += steps;
    *pace = fmax(1.0, fmin(CHECK_INTERVAL, pause_interval * steps / seconds));
}

static void begin(Run *run)
{
    const size_t bytes = 9 * cell_count(&run->scenario) * sizeof(float);
    run->f = allocate(bytes);
    if (run->settings->steady > 0.0)
        run->previous = allocate(bytes);
    run->solver = run->stage->create(&run->scenario, run->settings->block);
    run->read_at = -1;
    check(run);
    run->mass = total_mass(&run->scenario, run->f);
    run->change = HUGE_VAL;
    if (run->previous)
        memcpy(run->previous, run->f, bytes);
    run->series = create_series(&run->scenario, &run->settings->probe);
}

void simulate(Run *run)
{
    const long every = run->settings->every;
    begin(run);
    catch_signals();
    if (run->settings->watch)
        open_screen();
    double pace = 1.0;
    while (run->step < run->steps && !stop_signal && !is_steady(run)) {
        advance(run, &pace);
        show(run);
        if (run->step % CHECK_INTERVAL == 0) {
            check(run);
            compare(run);
        }
        if (run->sample && run->step % run->sample == 0)
            sample(run);
        if (every && run->step % every == 0)
            write_outputs(run);
    }
    restore_screen();
    run->stopped_by = stop_signal;
    if (!every || run->step % every != 0 || run->step == 0)
        write_outputs(run);
    write_series(run);
    clear_progress();
    run->stage->destroy(run->solver);
}
