#include "time_series.h"

#include "fail.h"
#include "output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FORCE_COLUMNS = 3, VELOCITY_COLUMNS = 5 };

Series create_series(const Scenario *scenario, const Cells *probes)
{
    Series r = {.scenario = scenario, .probes = probes};
    if (scenario->flow->body)
        r.links = find_links(scenario);
    return r;
}

void destroy_series(Series *r)
{
    destroy_links(&r->links);
    free(r->force);
    free(r->velocity);
    r->force = NULL;
    r->velocity = NULL;
}

long sampling_interval(const Scenario *s)
{
    return (long)fmin(fmax(s->length / (40.0 * s->u), 1.0), 1e9);
}

static void *enlarge(void *memory, size_t bytes)
{
    memory = realloc(memory, bytes);
    if (!memory && bytes > 0)
        fail(EXIT_MACHINE, "not enough memory for the samples: %zu bytes needed", bytes);
    return memory;
}

void take_sample(Series *r, const float *f, long step)
{
    const size_t probes = r->probes->count;
    if (r->samples == r->room) {
        r->room = r->room ? 2 * r->room : 1024;
        r->force = enlarge(r->force, r->room * sizeof *r->force);
        r->velocity = enlarge(r->velocity, (r->room * probes + 1) * VELOCITY_COLUMNS * sizeof(double));
    }
    if (r->links.count)
        r->force[r->samples] = force_on_bodies(r->scenario, &r->links, f, (double)step);
    for (size_t n = 0; n < probes; n++) {
        const int x = (int)r->probes->cell[n].x, y = (int)r->probes->cell[n].y;
        const Moments m = moments_at(r->scenario, f, x, y);
        const double row[VELOCITY_COLUMNS] = {(double)step, x, y, m.ux, m.uy};
        memcpy(r->velocity + (r->samples * probes + n) * VELOCITY_COLUMNS, row, sizeof row);
    }
    r->samples++;
}

void write_forces(const char *path, const Series *r)
{
    write_table(path, "step,drag,lift", (const double *)r->force, r->samples, FORCE_COLUMNS);
}

void write_probes(const char *path, const Series *r)
{
    write_table(path, "step,x,y,ux,uy", r->velocity, r->samples * (size_t)r->probes->count, VELOCITY_COLUMNS);
}

static void print_summary(const char *name, const Summary *s)
{
    printf("%-9s last %.4f, mean %.4f, smallest %.4f, largest %.4f\n", name, s->last, s->mean, s->min,
           s->max);
}

static void print_samples(const Series *r)
{
    const Shedding s = sum_up(r->force, r->samples);
    print_summary("drag", &s.drag);
    print_summary("lift", &s.lift);
    if (s.periods > 0)
        printf("Strouhal  %.4f: the lift's period is %.1f steps; taken over %d of them, from step %.0f to "
               "%.0f\n",
               r->scenario->length / (r->scenario->u * s.period), s.period, s.periods, s.from, s.to);
    else
        printf("Strouhal  none: the lift has no regular period; taken from step %.0f to %.0f\n", s.from,
               s.to);
}

void print_forces(const Series *r, const float *f, long step)
{
    const Scenario *s = r->scenario;
    const Force now = force_on_bodies(s, &r->links, f, (double)step);
    const double pressure = pressure_difference(s, f);
    if (r->samples > 1)
        print_samples(r);
    else
        printf("force     drag %.4f, lift %.4f\n", now.drag, now.lift);
    if (!isnan(pressure))
        printf("pressure  %.4f rho u^2 more in front of the cylinder than behind it\n", pressure);
}
