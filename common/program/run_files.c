#include "program/run.h"

#include "host/allocate.h"
#include "host/background.h"
#include "host/fail.h"
#include "output/checkpoint.h"
#include "output/csv.h"
#include "output/figure.h"
#include "output/output_file.h"
#include "output/png_picture.h"
#include "output/vtk.h"
#include "output/vtp.h"
#include "program/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERED = 5 }; // of OUTPUTS

/** The files that a run writes: those that --every numbers, then those that keep their names. */
typedef struct {
    const char *path[OUTPUTS];
} Outputs;

static Outputs outputs_of(const Settings *s)
{
    return (Outputs){
        {s->vtk, s->vtp, s->png, s->pixels, s->csv, s->collection, s->checkpoint, s->forces, s->shape,
         s->probes, s->plot}
    };
}

/** Where the number goes into a path: before the ending of its last part. */
static const char *stem_end(const char *path)
{
    const char *name = last_part(path), *dot = strrchr(name, '.');
    return dot && dot != name ? dot : path + strlen(path);
}

/** Name of an output at a step: with --every the path with the step number in it, else the path itself. */
static void output_name(char name[NAME_SIZE], const Settings *settings, const char *path, long step)
{
    const char *end = stem_end(path);
    if (settings->every)
        snprintf(name, NAME_SIZE, "%.*s_%08ld%s", (int)(end - path), path, step, end);
    else
        snprintf(name, NAME_SIZE, "%s", path);
}

void name_files(Settings *s, const Flow *flow)
{
    if (*s->vtk && has_membrane(flow) && !is_stream(s->vtk))
        snprintf(s->vtp, sizeof s->vtp, "%.*s.vtp", (int)(stem_end(s->vtk) - s->vtk), s->vtk);
    if (*s->vtk && s->every)
        snprintf(s->collection, sizeof s->collection, "%.*s.pvd", (int)(stem_end(s->vtk) - s->vtk), s->vtk);
}

/** Whether a file that --every numbers would get this name: with the number that stands there in it. */
static int gets_name(const Settings *s, const char *output, const char *path)
{
    const size_t before = (size_t)(stem_end(output) - last_part(output)) + 1;
    char name[NAME_SIZE];
    if (strlen(last_part(path)) <= before)
        return 0;
    output_name(name, s, output, strtol(last_part(path) + before, NULL, 10));
    return is_same_file(name, path);
}

/** Refuses an output that --every numbers if it could replace a file, or what a link leads to. */
static void check_numbers(const Settings *s, const char *output, const char *path)
{
    char *target = realpath(path, NULL);
    if (s->every && *output && (gets_name(s, output, path) || (target && gets_name(s, output, target))))
        fail(EXIT_USAGE, "the numbered files of \"%s\" could replace \"%s\"", output, path);
    free(target);
}

void check_paths(const Settings *s)
{
    const Outputs o = outputs_of(s);
    if (*s->checkpoint)
        check_output(s->checkpoint);
    if (*s->restart)
        add_input(s->restart); // only a checkpoint may replace it: it has been read by then
    for (int n = 0; n < OUTPUTS; n++)
        if (*o.path[n] && o.path[n] != s->checkpoint)
            check_output(o.path[n]);
    for (int n = 0; n < OUTPUTS; n++)
        for (int k = 0; k < n; k++)
            if (*o.path[n] && *o.path[k] && is_same_file(o.path[n], o.path[k]))
                fail(EXIT_USAGE, "the outputs \"%s\" and \"%s\" are one file: give them two", o.path[k],
                     o.path[n]);
    for (int n = 0; n < NUMBERED; n++) {
        if (s->every && is_stream(o.path[n]))
            fail(EXIT_USAGE, "--every writes numbered files, and \"%s\" is a pipe or a device", o.path[n]);
        for (int k = NUMBERED; k < OUTPUTS; k++)
            check_numbers(s, o.path[n], o.path[k]);
        for (int k = 0; input(k); k++)
            check_numbers(s, o.path[n], input(k));
    }
    if (*s->collection && !is_xml_text(last_part(s->collection)))
        fail(
            EXIT_USAGE,
            "--vtk %s: the list \"%s\" can't name such files, as XML takes UTF-8 without control characters: "
            "give it another name",
            s->vtk, s->collection);
    if (*s->png && !can_draw())
        fail(EXIT_USAGE, "--png %s: this build lacks Cairo (Debian: apt install libcairo2-dev, build again)",
             s->png);
    if (*s->plot && !can_draw())
        fail(EXIT_USAGE, "--plot %s: this build lacks Cairo (Debian: apt install libcairo2-dev, build again)",
             s->plot);
    if (*s->pixels && !can_write_png())
        fail(EXIT_USAGE, "--pixels %s: this build lacks libpng (Debian: apt install libpng-dev, build again)",
             s->pixels);
}

void check_outputs(const Settings *s)
{
    const Outputs o = outputs_of(s);
    for (int n = 0; n < OUTPUTS; n++)
        if (*o.path[n]) {
            char name[NAME_SIZE];
            output_name(name, s, o.path[n], s->every);
            check_writable(n < NUMBERED ? name : o.path[n]);
        }
}

/** Puts a name at the end of the list of those written; returns it. */
static const char *listed(Run *run, const char *name)
{
    char *end = run->wrote + strlen(run->wrote);
    snprintf(end, (size_t)(run->wrote + sizeof run->wrote - end), " %s", name);
    sanitize(end);
    return name;
}

/** The files of a step that ParaView shows together: of the fluid, and of a membrane. */
static const char *part_name(const void *settings, long step, int part)
{
    static char name[NAME_SIZE];
    const Settings *s = settings;
    const char *const path[] = {s->vtk, s->vtp, ""};
    output_name(name, s, path[part], step);
    return *path[part] ? name : NULL;
}

void read_list(Run *run)
{
    const Settings *s = run->settings;
    if (*s->collection && *s->restart)
        run->listed = read_collection(s->collection, run->first, &run->scenario, part_name, s);
}

static void write_in_series(void *context)
{
    const Run *run = context;
    char name[NAME_SIZE];
    output_name(name, run->settings, run->settings->vtk, run->result.step);
    write_vtk(name, &run->result);
    write_collection(run->settings->collection, &run->listed, part_name, run->settings);
}

/** Writes the file for ParaView; one of a series while the run goes on. */
static void write_vtk_listed(Run *run, const char *name)
{
    const Settings *s = run->settings;
    if (!*s->collection) {
        write_vtk(name, &run->result);
        return;
    }
    finish_job();
    add_step(&run->listed, run->step);
    begin_job(write_in_series, run);
}

/** Writes the membrane for ParaView. */
static void write_membrane(const Run *run, const char *name)
{
    const Scenario *s = &run->scenario;
    const Real *nodes = run->result.nodes;
    Real *force = allocate(node_bytes(s));
    find_forces(force, &s->membrane, nodes, s->stiffness);
    write_vtp(name, s, run->result.step, &s->membrane, nodes, force);
    free(force);
}

static const char *next_output(Run *run, const char *path, char name[NAME_SIZE])
{
    output_name(name, run->settings, path, run->step);
    return listed(run, name);
}

void refresh(Run *run)
{
    if (run->result.step == run->step)
        return;
    finish_job();
    read_snapshot(&run->result, run->simulation);
}

/** The same as far as pictures show it: of a slice across z, its layer and those beside it. */
static void refresh_slice(Run *run)
{
    const Scenario *s = &run->scenario;
    const Slice slice = run->settings->slice;
    if (!is_in_space(s) || slice.axis != 2) {
        refresh(run);
        return;
    }
    const size_t layer = cells_of_layer(s);
    for (int z = slice.at > 0 ? slice.at - 1 : 0; z <= slice.at + 1 && z < s->depth; z++)
        read_moments(run->simulation, z * layer, layer, run->result.moments + z * layer);
}

void write_outputs(Run *run)
{
    const Settings *s = run->settings;
    if (*s->vtk || *s->csv)
        refresh(run);
    else if (*s->png || *s->pixels)
        refresh_slice(run);
    const double size = s->every ? expected_size(&run->scenario, s->field) : 0.0; // one for all pictures
    const double largest = s->scale > 0.0 ? s->scale : size;
    char name[NAME_SIZE], vtk_path[NAME_SIZE];
    clear_progress();
    run->wrote[0] = '\0';
    const char *const vtk = *s->vtk ? next_output(run, s->vtk, vtk_path) : NULL;
    if (*s->collection)
        listed(run, s->collection);
    if (*s->png)
        write_figure(next_output(run, s->png, name), &run->result,
                     &(Look){s->field, s->slice, largest, s->streamlines}, run->stage->name);
    if (*s->pixels)
        write_png(next_output(run, s->pixels, name), &run->result, s->field, s->slice, largest);
    if (*s->csv)
        write_csv(next_output(run, s->csv, name), &run->result);
    if (*s->vtp)
        write_membrane(run, next_output(run, s->vtp, name));
    if (vtk)
        write_vtk_listed(run, vtk);
    run->written = run->step;
}

static void read_some(const void *simulation, size_t first, size_t count, Real *f)
{
    read_populations(simulation, first, count, f);
}

void save(Run *run)
{
    if (!*run->settings->checkpoint || run->saved == run->step)
        return;
    clear_progress();
    refresh(run);
    write_checkpoint(run->settings->checkpoint, &run->result, read_some, run->simulation);
    run->saved = run->step;
}

void write_series(Run *run)
{
    const Settings *s = run->settings;
    const TimeSeries *t = &run->series;
    const int in_space = is_in_space(&run->scenario);
    if (*s->checkpoint)
        listed(run, s->checkpoint);
    if (*s->forces)
        write_table(listed(run, s->forces), in_space ? "step,drag,lift,side" : "step,drag,lift",
                    (const double *)t->force, t->samples, in_space ? 4 : 3,
                    sizeof *t->force / sizeof(double));
    if (*s->shape)
        write_table(listed(run, s->shape), "step,deformation,inclination,volume,angle,force",
                    (const double *)t->shape, t->samples, SHAPE_COLUMNS, SHAPE_COLUMNS);
    if (*s->probes)
        write_table(listed(run, s->probes), in_space ? "step,x,y,z,ux,uy,uz" : "step,x,y,ux,uy", t->velocity,
                    t->samples * (size_t)t->probes->count, t->columns, (size_t)t->columns);
    if (*s->plot) {
        refresh(run);
        write_run_plot(run, listed(run, s->plot));
    }
}
