#include "program/run.h"

#include "flow/units.h"
#include "gpu/device.h"
#include "host/clock.h"
#include "host/fail.h"
#include "host/standard_output.h"
#include "ranks/ranks.h"
#include "result/shedding.h"
#include "speed/speed.h"
#include "stage/stages.h"
#include "studies/accuracy.h"
#include "studies/cavity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/** How to find the fastest stage for a grid that fits on the chip. The emulator has no chip that matters. */
static void print_hint(const Run *run)
{
    const int width = run->scenario.width, height = run->scenario.height;
    char names[1024] = "";
    if (!gpu_is_emulated)
        append_stages_on_chip(names, sizeof names, run->stage, width, height);
    if (*names)
        printf("hint      some stages keep so small a grid on the chip; to see which is fastest here: "
               "lbm bench %s%s --sizes %.0f\n",
               run->stage->name, names, sqrt((double)width * height));
}

void print_head(const Run *run)
{
    const Scenario *s = &run->scenario;
    const double bytes = run->stage->bytes_per_cell;
    printf("stage     %s: %s\n", run->stage->name, run->stage->summary);
    printf("flow      %s: %s\n", s->flow->name, s->flow->about);
    printf("size      %d x %d", s->width, s->height);
    if (is_in_space(s))
        printf(" x %d", s->depth);
    printf(" cells, walls included\n");
    printf("numbers   tau %.6g, nu %.6g, u %.4g, Re %.4g, Mach %.3g\n", s->tau, s->nu, s->u, s->re, s->mach);
    if (has_membrane(s->flow))
        printf("membrane  radius %.6g, %d triangles, Ca %.4g, shear rate %.4g\n", s->length,
               s->membrane.triangles, s->ca, shear_rate(s));
    printf("memory    %.2f MiB, %g bytes a cell%s\n",
           (bytes * (double)cell_count(s) + membrane_bytes(s)) / 1048576.0, bytes,
           has_membrane(s->flow) ? ", and the membrane" : "");
    if (runs_on_gpu(run->stage))
        printf("block     %u x %u threads\n", run->settings->block.x, run->settings->block.y);
    if (runs_on_ranks(run->stage))
        printf("ranks     %d\n", rank_count());
    if (*run->settings->restart) {
        char name[PATH_SIZE];
        strcpy(name, run->settings->restart);
        sanitize(name);
        printf("restart   from step %ld, which %s holds\n", run->first, name);
    }
    print_hint(run);
    check_standard_output();
}

void warn(const Scenario *s)
{
    if (exceeds(s->mach, most_mach))
        fprintf(stderr, "lbm: warning: Mach %.3g is above %g: the flow is compressible, its error large\n",
                s->mach, most_mach);
    if (exceeds(least_tau, s->tau))
        fprintf(stderr, "lbm: warning: tau %.9g is close to 0.5: the flow may diverge\n", s->tau);
    if (exceeds(s->stiffness.shear, most_shear_modulus))
        fprintf(
            stderr,
            "lbm: warning: shear modulus %.3g of the membrane is above %g: it may diverge; a smaller speed helps, or "
            "a larger capillary number\n",
            s->stiffness.shear, most_shear_modulus);
    const double most = s->flow->largest_cell_re, cell_re = s->u / s->nu;
    if (most > 0.0 && exceeds(cell_re, most))
        fprintf(stderr,
                "lbm: warning: the Reynolds number of a cell, u / nu, is %.3g: above %g or so %s diverges or "
                "never settles with the collision of the first stage; more cells help, or a smaller Reynolds "
                "number\n",
                cell_re, most, s->flow->name);
}

static void print_error(const Run *run)
{
    const Snapshot *r = &run->result;
    const double extrema = extrema_deviation(r), u = ghia_deviation(r, 'u'), v = ghia_deviation(r, 'v');
    if (r->scenario->flow->exact && isnan(run->error))
        printf("error     not defined: the analytic solution is at rest\n");
    else if (r->scenario->flow->exact)
        printf("error     %.3g (relative L2) from the analytic solution\n", run->error);
    if (!isnan(u) && !isnan(v)) {
        printf("error     %.5f of the lid speed from the published extrema on the centre lines\n", extrema);
        printf("error     u %.4f, v %.4f of it from %s\n", u, v,
               r->scenario->depth == 1 ? "Ghia et al. 1982, a table that is less exact"
                                       : "the profiles of Albensoeder & Kuhlmann 2005");
    } else if (is_cavity(r->scenario)) {
        printf(
            "error     not known here: square cavities are published at Re 100 and 1000, cubes at Re 1000\n");
    }
}

static void print_summary(const char *name, const Summary *s)
{
    printf("%-9s last %.4f, mean %.4f, smallest %.4f, largest %.4f\n", name, s->last, s->mean, s->min,
           s->max);
}

static void print_samples(const TimeSeries *series, const Scenario *scenario)
{
    const Shedding s = sum_up(series->force, series->samples);
    print_summary("drag", &s.drag);
    print_summary("lift", &s.lift);
    if (is_in_space(scenario))
        print_summary("side", &s.side);
    if (s.periods > 0)
        printf("Strouhal  %.4f: the lift's period is %.1f steps; taken over %d of them, from step %.0f to "
               "%.0f\n",
               scenario->length / (scenario->u * s.period), s.period, s.periods, s.from, s.to);
    else
        printf("Strouhal  none: the lift has no regular period; taken from step %.0f to %.0f\n", s.from,
               s.to);
}

static void print_forces(const Run *run)
{
    const Scenario *s = &run->scenario;
    const Force now = run->force;
    if (run->series.samples > 1)
        print_samples(&run->series, s);
    else if (!is_in_space(s))
        printf("force     drag %.4f, lift %.4f\n", now.drag, now.lift);
    else
        printf("force     drag %.4f, lift %.4f, side %.4f\n", now.drag, now.lift, now.side);
    if (!isnan(run->pressure))
        printf("pressure  %.4f rho u^2 more in front of the cylinder than behind it\n", run->pressure);
}

static void print_time(const Run *run)
{
    const Spent *spent = &run->spent;
    const double all = now() - spent->begin;
    printf(
        "time      set-up %.2f s, steps %.2f s, looks %.2f s, files %.2f s: the steps take %.0f%% of %.2f s, "
        "%.1f MLUPS in all\n",
        spent->set_up, run->seconds, spent->looks, spent->files, 100.0 * run->seconds / all, all,
        mlups((double)cell_count(&run->scenario), (double)(run->step - run->first), all));
}

void print_report(const Run *run)
{
    const Scenario *s = &run->scenario;
    const long steps = run->step - run->first;
    printf("steps     %ld in %.3g s of solver time: %.1f MLUPS\n", steps, run->seconds,
           mlups((double)cell_count(s), (double)steps, run->seconds));
    printf("mass      drifted by %.2g, relative\n", (run->look.mass - run->mass) / run->mass);
    if (run->settings->steady > 0.0)
        printf("steady    velocity changed by %.2g in %d steps\n", run->change, CHECK_INTERVAL);
    print_error(run);
    if (run->series.links.count && run->step > 0) // at the start nothing has come back from a body yet
        print_forces(run);
    if (has_membrane(run->scenario.flow))
        printf("membrane  %sdeformation %.4f, inclination %.4f, volume %+.2g, force %.2g\n",
               run->scenario.capsules > 1 ? "the first one: " : "", run->shape.deformation,
               run->shape.inclination, run->shape.volume - 1.0, run->shape.force);
    if (*run->wrote)
        printf("wrote    %s\n", run->wrote);
    print_time(run);
}
