#include "run_files.h"

#include "csv.h"
#include "fail.h"
#include "output_file.h"
#include "png_picture.h"
#include "progress.h"
#include "vtk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERED = 3, OUTPUTS = 5 };

/** The files that a run writes: those that --every numbers, then those written once, at the end. */
typedef struct {
    const char *path[OUTPUTS];
} Outputs;

static Outputs outputs_of(const Settings *s)
{
    return (Outputs){
        {s->vtk, s->png, s->csv, s->forces, s->probes}
    };
}

/** Name of an output at a step: with --every the path with the step number in it, else the path itself. */
static void output_name(char name[NAME_SIZE], const Settings *settings, const char *path, long step)
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

/** Whether a file that --every numbers would get this name. */
static int replaces(const Settings *s, const char *output, const char *path)
{
    char name[NAME_SIZE];
    const char *number = strrchr(path, '_');
    if (!s->every || !*output || !number)
        return 0;
    output_name(name, s, output, strtol(number + 1, NULL, 10));
    return strcmp(name, path) == 0;
}

void check_paths(const Settings *s)
{
    const Outputs o = outputs_of(s);
    for (int n = 0; n < OUTPUTS; n++)
        for (int k = 0; k < n; k++)
            if (*o.path[n] && strcmp(o.path[n], o.path[k]) == 0)
                fail(EXIT_USAGE, "two outputs can't go to the same file \"%s\"", o.path[n]);
    for (int n = 0; n < OUTPUTS; n++)
        if (*s->mask && strcmp(o.path[n], s->mask) == 0)
            fail(EXIT_USAGE, "an output can't replace the drawing \"%s\"", s->mask);
    for (int n = 0; n < NUMBERED; n++)
        for (int k = 0; k <= OUTPUTS; k++) {
            const char *path = k < OUTPUTS ? o.path[k] : s->mask;
            if (replaces(s, o.path[n], path))
                fail(EXIT_USAGE, "the numbered files of \"%s\" would replace \"%s\"", o.path[n], path);
        }
    if (*s->png && !can_write_png())
        fail(EXIT_USAGE, "--png %s: this build lacks libpng (Debian: apt install libpng-dev, build again)",
             s->png);
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
    hide_controls(end);
    return name;
}

/** Name of an output at this step. */
static const char *next_output(Run *run, const char *path, char name[NAME_SIZE])
{
    output_name(name, run->settings, path, run->step);
    return listed(run, name);
}

void write_outputs(Run *run)
{
    const Settings *s = run->settings;
    char name[NAME_SIZE];
    clear_progress();
    run->wrote[0] = '\0';
    if (*s->vtk)
        write_vtk(next_output(run, s->vtk, name), &run->result);
    if (*s->png)
        write_png(next_output(run, s->png, name), &run->result, s->field);
    if (*s->csv)
        write_csv(next_output(run, s->csv, name), &run->result);
}

void write_series(Run *run)
{
    const Settings *s = run->settings;
    const TimeSeries *t = &run->series;
    if (*s->forces)
        write_table(listed(run, s->forces), "step,drag,lift", (const double *)t->force, t->samples, 3);
    if (*s->probes)
        write_table(listed(run, s->probes), "step,x,y,ux,uy", (const double *)t->velocity,
                    t->samples * (size_t)t->probes->count, 5);
}
