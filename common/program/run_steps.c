#include "program/run.h"

#include "host/allocate.h"
#include "host/background.h"
#include "host/clock.h"
#include "host/fail.h"
#include "host/interrupt.h"
#include "host/standard_output.h"
#include "output/screen.h"
#include "program/progress.h"
#include "result/forces.h"
#include "speed/speed.h"
#include "studies/cavity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double pause_interval = 0.05; // seconds of solver time between two looks at the clock
static const double frame_interval = 0.1;

/** Whether it is time for what is done every so many steps; 0: never. */
static int is_due(const Run *run, long interval)
{
    return interval && run->step % interval == 0;
}

/** Looks at the flow, if that was not done at this step, and ends the program if it makes no sense. */
static void check(Run *run)
{
    const double start = now();
    const int compares = run->settings->steady > 0.0 && is_due(run, CHECK_INTERVAL);
    if (run->checked == run->step)
        return;
    run->look = compares ? look_at_change(run->simulation) : look_at(run->simulation);
    run->checked = run->step;
    run->spent.looks += now() - start;
    if (run->look.insane == 0.0)
        return;
    const Scenario *s = &run->scenario;
    char membrane[128] = "";
    if (has_membrane(s->flow))
        snprintf(
            membrane, sizeof membrane,
            ", a stiff membrane (here its shear modulus is %.3g; a larger --ca or a smaller --u lessens it)",
            s->stiffness.shear);
    clear_progress();
    fail(EXIT_CHECK,
         "the flow diverged by step %ld; usual causes: tau near 0.5 (here %.6g), high Mach (here %.3g), too "
         "few cells (here u / nu is %.3g)%s",
         run->step, s->tau, s->mach, s->u / s->nu, membrane);
}

/** Reads the moments along the middle lines of a cavity, unless those of all cells are there. */
static void refresh_middle(Run *run)
{
    if (run->result.step == run->step)
        return;
    const Scenario *s = &run->scenario;
    const int x = (s->width - 1) / 2, y = (s->height - 1) / 2, z = (s->depth - 1) / 2;
    const size_t most = 4 * ((size_t)s->width + (size_t)s->height);
    CellNumber *list = allocate(most * sizeof *list), count = 0;
    Moments *moments = allocate(most * sizeof *moments);
    for (int n = 0; n < 4; n++) {
        const int beside = n % 2, layer = n / 2 ? s->depth / 2 : z;
        for (int k = 0; k < s->width; k++)
            list[count++] = (CellNumber)cell_at(s, (Position){k, y + beside, layer});
        for (int k = 0; k < s->height; k++)
            list[count++] = (CellNumber)cell_at(s, (Position){x + beside, k, layer});
    }
    read_listed_moments(run->simulation, list, count, moments);
    for (CellNumber n = 0; n < count; n++)
        run->result.moments[list[n]] = moments[n];
    free(moments);
    free(list);
}

int is_steady(const Run *run)
{
    return run->settings->steady > 0.0 && run->change <= run->settings->steady;
}

static void remember_change(Run *run)
{
    if (run->checks == run->capacity) {
        run->capacity = 2 * run->capacity + 64;
        run->changes = reallocate(run->changes, run->capacity * sizeof *run->changes);
    }
    run->changes[run->checks++] = (Change){(double)run->step, run->change};
}

/** What has changed since the check before, of which this one is the next. */
static void compare_with_last(Run *run)
{
    if (!(run->settings->steady > 0.0))
        return;
    if (run->step - run->compared == CHECK_INTERVAL) { // not if a checkpoint lies between
        run->change = change_of(&run->look);
        remember_change(run);
    }
    run->compared = run->step;
}

/** Tells about ten samples of a run: those from number `first` on that are due. */
static void tell_samples(const Run *run, size_t first)
{
    const TimeSeries *t = &run->series;
    const int with_membrane = has_membrane(run->scenario.flow);
    if (run->settings->quiet || run->settings->watch || (!t->links.count && !with_membrane))
        return;
    const long samples = (run->steps - run->first) / 10 / run->sample,
               tell = run->sample * (samples > 0 ? samples : 1);
    for (size_t n = first; n < t->samples; n++) {
        const Force *f = &t->force[n];
        if ((long)f->step % tell != 0)
            continue;
        clear_progress();
        if (with_membrane)
            printf("step      %.0f: deformation %.4f, inclination %.4f\n", f->step, t->shape[n].deformation,
                   t->shape[n].inclination);
        else
            printf("step      %.0f: drag %.4f, lift %.4f\n", f->step, f->drag, f->lift);
        flush_standard_output();
    }
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

/** Whether there is more to do at this step than to take a sample. */
static int is_stop(const Run *run)
{
    return run->step == run->steps || is_due(run, CHECK_INTERVAL) || is_due(run, run->settings->every) ||
           is_due(run, run->settings->save);
}

/** So many steps, CHECK_INTERVAL at most; fewer if that makes whole cycles, as a broken one is slow. */
static double whole_cycles(const Run *run, double steps)
{
    const double cycle = run->stage->cycle, least = steps < cycle ? 1.0 : cycle;
    return steps < CHECK_INTERVAL ? fmax(1.0, floor(steps / least) * least) : CHECK_INTERVAL;
}

/** Advances up to the next stop, but about a pause_interval, or `pace` steps, at most, and takes samples. */
static void advance(Run *run, double *pace)
{
    const double start = now();
    const long first = run->step;
    const size_t samples = run->series.samples;
    do {
        const double left = fmax(1.0, *pace - (double)(run->step - first));
        const long steps = (long)fmin(left, (double)(next_stop(run) - run->step));
        advance_simulation(run->simulation, steps);
        free((Real *)run->scenario.start.f); // the populations of a checkpoint
        run->scenario.start.f = NULL;
        run->step += steps;
        if (is_due(run, run->sample))
            take_sample(run->samples);
    } while (!is_stop(run) && (double)(run->step - first) < *pace);
    collect_samples(run->samples);
    wait_for_simulation(run->simulation);
    const double seconds = now() - start;
    run->seconds += seconds;
    *pace = whole_cycles(run, pause_interval * (double)(run->step - first) / seconds);
    if (run->sample)
        tell_samples(run, samples);
}

void begin_steps(Run *run)
{
    run->result = create_fields(&run->scenario);
    run->simulation = begin_simulation(run->stage, &run->scenario, run->settings->block);
    run->series = create_time_series(&run->scenario, &run->settings->probe);
    run->samples = begin_samples(run->simulation, &run->series);
    run->result.step = run->checked = run->written = run->saved = -1;
    wait_for_simulation(run->simulation);
    run->spent.set_up = now() - run->spent.begin;
    if (run->settings->steady > 0.0)
        look_at_change(run->simulation);
    check(run);
    run->mass = run->look.mass;
    run->change = HUGE_VAL;
    run->compared = run->step;
}

/** The checkpoint comes first: no other file that can't be written may cost it. */
static void save_checked(Run *run)
{
    check(run);
    const double start = now();
    save(run);
    run->spent.files += now() - start;
}

static void write_checked(Run *run)
{
    check(run);
    const double start = now();
    write_outputs(run);
    run->spent.files += now() - start;
}

static void find_end(Run *run)
{
    const Scenario *s = &run->scenario;
    const double start = now();
    double density;
    run->error = run->pressure = NAN;
    if (s->flow->exact) {
        const FlowSums sums = look_at_error(run->simulation);
        run->error = change_of(&sums);
    }
    if (run->series.links.count) {
        run->force = force_now(run->samples, &density);
        for (int n = 0; n < 2 && has_pressure_difference(s) && run->result.step != run->step; n++) {
            const size_t first = (size_t)row_beside(s, n) * (size_t)s->width;
            read_moments(run->simulation, first, (size_t)s->width, run->result.moments + first);
        }
        if (has_pressure_difference(s))
            run->pressure = pressure_difference(&run->result, density);
    }
    if (has_membrane(s->flow))
        run->shape = shape_now(run->samples);
    if (is_cavity(s))
        refresh_middle(run);
    run->spent.looks += now() - start;
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
            compare_with_last(run);
        }
        if (is_due(run, run->settings->save) || run->step == run->steps || is_steady(run))
            save_checked(run);
        if (is_due(run, run->settings->every))
            write_checked(run);
    }
    restore_screen();
    run->interrupted = stop_code() && run->step < run->steps && !is_steady(run);
    save_checked(run);
    if (run->written != run->step)
        write_checked(run);
    double start = now();
    finish_job();
    run->spent.files += now() - start;
    find_end(run);
    start = now();
    write_series(run);
    run->spent.files += now() - start;
    clear_progress();
    end_samples(run->samples);
    end_simulation(run->simulation);
}
