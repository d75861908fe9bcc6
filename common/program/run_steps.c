#include "program/run_steps.h"

#include "host/allocate.h"
#include "host/clock.h"
#include "host/fail.h"
#include "host/interrupt.h"
#include "host/standard_output.h"
#include "output/screen.h"
#include "program/progress.h"
#include "program/run_files.h"
#include "speed/statistics.h"
#include "studies/accuracy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pause_interval = 0.05; // seconds of solver time between two looks at the clock
static const double frame_interval = 0.1;

/** Makes the result that of now. */
static void refresh(Run *run)
{
    if (run->result.step != run->step)
        read_result(&run->result, run->stage, run->solver, run->step);
}

/** Reads the flow and ends the program if it makes no sense. */
static void check(Run *run)
{
    refresh(run);
    if (is_sane(&run->result))
        return;
    clear_progress();
    fail(EXIT_CHECK,
         "the flow diverged by step %ld; usual causes: tau near 0.5 (here %.6g), high Mach (here %.3g), too "
         "few "
         "cells (here u / nu is %.3g)",
         run->step, run->scenario.tau, run->scenario.mach, run->scenario.u / run->scenario.nu);
}

int is_steady(const Run *run)
{
    return run->settings->steady > 0.0 && run->change <= run->settings->steady;
}

static void remember_change(Run *run)
{
    if (run->checks == run->room) {
        run->room = 2 * run->room + 64;
        run->changes = reallocate(run->changes, run->room * sizeof *run->changes);
    }
    run->changes[run->checks++] = (Change){(double)run->step, run->change};
}

/** What has changed since the check before, of which this one is the next. */
static void compare(Run *run)
{
    if (!run->previous)
        return;
    if (run->step - run->compared == CHECK_INTERVAL) { // not if a checkpoint lies between
        run->change = relative_change(&run->result, run->previous);
        remember_change(run);
    }
    run->compared = run->step;
    memcpy(run->previous, run->result.moments, cell_count(&run->scenario) * sizeof *run->previous);
}

/** Takes a sample; tells the force about ten times in a run. */
static void sample(Run *run)
{
    refresh(run);
    take_sample(&run->series, &run->result);
    const long samples = (run->steps - run->first) / 10 / run->sample,
               tell = run->sample * (samples > 0 ? samples : 1);
    if (run->settings->quiet || run->settings->watch || !run->series.links.count || run->step % tell != 0)
        return;
    const Force *now = &run->series.force[run->series.samples - 1];
    clear_progress();
    printf("step      %ld: drag %.4f, lift %.4f\n", run->step, now->drag, now->lift);
    flush_standard_output();
}

static void show(Run *run)
{
    static double shown_at;
    const Scenario *s = &run->scenario;
    const Settings *settings = run->settings;
    const double done = (double)(run->step - run->first), all = (double)(run->steps - run->first);
    if (!settings->watch && !settings->quiet)
        show_progress((double)cell_count(s), done, all, run->seconds);
    if (!settings->watch || now() - shown_at < frame_interval)
        return;
    shown_at = now();
    refresh(run);
    char text[256], left[TIME_SIZE], force[64] = "";
    format_time(left, run->seconds / done * (all - done));
    if (run->series.samples && run->series.links.count) {
        const Force *last = &run->series.force[run->series.samples - 1];
        snprintf(force, sizeof force, ", drag %.3f, lift %.3f", last->drag, last->lift);
    }
    snprintf(text, sizeof text, "step %ld of %ld, %s left, %.1f MLUPS, Re %.4g%s; Ctrl-C ends it", run->step,
             run->steps, left, mlups((double)cell_count(s), done, run->seconds), s->re, force);
    show_frame(&run->result, settings->field, settings->slice, text);
}

/* ---- The way through the steps ---- */

/** Whether it is time for what is done every so many steps; 0: never. */
static int is_due(const Run *run, long interval)
{
    return interval && run->step % interval == 0;
}

/** The first step after this one at which there is something to do. */
static long next_stop(const Run *run)
{
    const long intervals[] = {CHECK_INTERVAL, run->settings->every, run->settings->save, run->sample};
    long stop = run->steps;
    for (int n = 0; n < 4; n++) {
        const long interval = intervals[n], before = interval ? run->step / interval * interval : 0;
        if (interval && before < stop - interval)
            stop = before + interval;
    }
    return stop;
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

void begin_steps(Run *run)
{
    const size_t bytes = cell_count(&run->scenario) * sizeof *run->previous;
    run->result = create_result(&run->scenario);
    run->solver = run->stage->create(&run->scenario, run->settings->block);
    run->result.step = -1; // not read yet
    check(run);
    run->written = run->saved = -1;
    run->mass = total_mass(&run->result);
    run->change = HUGE_VAL;
    run->compared = run->step;
    if (run->settings->steady > 0.0) {
        run->previous = allocate(bytes);
        memcpy(run->previous, run->result.moments, bytes);
    }
    run->series = create_time_series(&run->scenario, &run->settings->probe);
}

/** The checkpoint comes first: no other file that can't be written may cost it. */
static void save_checked(Run *run)
{
    check(run);
    save(run);
}

static void write_checked(Run *run)
{
    check(run);
    write_outputs(run);
}

void go_through_steps(Run *run)
{
    if (run->settings->watch)
        open_screen();
    double pace = 1.0;
    while (run->step < run->steps && !stop_code() && !is_steady(run)) {
        advance(run, &pace);
        show(run);
        if (is_due(run, CHECK_INTERVAL)) {
            check(run);
            compare(run);
        }
        if (is_due(run, run->sample))
            sample(run);
        if (is_due(run, run->settings->save))
            save_checked(run);
        if (is_due(run, run->settings->every))
            write_checked(run);
    }
    restore_screen();
    run->interrupted = stop_code() && run->step < run->steps && !is_steady(run);
    save_checked(run);
    if (run->written != run->step)
        write_checked(run);
    write_series(run);
    clear_progress();
    run->stage->destroy(run->solver);
}
