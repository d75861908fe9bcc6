#include "program/run_plot.h"

#include "host/allocate.h"
#include "output/plot.h"
#include "studies/cavity.h"

#include <math.h>
#include <stdlib.h>

/** Numbers for a panel of the velocity: first those of the cells, then those of what is known. */
typedef struct {
    double *at, *velocity, *known_at, *known;
} Line;

/** ux ('u') or uy ('v') over u of a cell; NaN if it is solid. */
static double component(const Scenario *s, Moments m, char line, int x, int y)
{
    return is_wall(s->type[(size_t)y * s->width + x]) ? NAN : (line == 'u' ? m.ux : m.uy) / s->u;
}

/** Of the cell n of the line through the middle, or of the two beside it; of the analytic solution if
 * `exact`. */
static double in_the_middle(const Result *r, char line, int n, int exact)
{
    const Scenario *s = r->scenario;
    const int across = line == 'u' ? s->width : s->height;
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        const int middle = (across - 1 + side) / 2, x = line == 'u' ? middle : n,
                  y = line == 'u' ? n : middle;
        const Moments m =
            exact ? s->flow->exact(s, (double)r->step, (Position){x, y, 0}) : moments_at(r, x, y);
        sum += component(s, m, line, x, y);
    }
    return 0.5 * sum;
}

/** The velocity along one of the two lines; what is known of it is Ghia's table or the analytic solution. */
static Panel velocity_panel(const Result *r, char line, Line *l)
{
    const Scenario *s = r->scenario;
    const int count = line == 'u' ? s->height : s->width, room = count > GHIA_POINTS ? count : GHIA_POINTS;
    l->at = allocate(4 * (size_t)room * sizeof *l->at);
    l->velocity = l->at + room, l->known_at = l->velocity + room, l->known = l->known_at + room;
    for (int n = 0; n < count; n++) {
        l->at[n] = n;
        l->velocity[n] = in_the_middle(r, line, n, 0);
    }
    Panel p = {line == 'u' ? "ux / u up the middle" : "uy / u across the middle",
               line == 'u' ? "y, cells" : "x, cells",
               0,
               1,
               {{"computed", l->at, l->velocity, (size_t)count, 1, 0}}};
    const int ghia = ghia_points(s, line, l->known_at, l->known);
    if (ghia > 0)
        p.curve[p.count++] = (Curve){s->depth == 1 ? "Ghia et al. 1982" : "Albensoeder & Kuhlmann 2005",
                                     l->known_at,
                                     l->known,
                                     (size_t)ghia,
                                     1,
                                     1};
    else if (s->flow->exact) {
        for (int n = 0; n < count; n++)
            l->known[n] = in_the_middle(r, line, n, 1);
        p.curve[p.count++] = (Curve){"analytic", l->at, l->known, (size_t)count, 1, 1};
    }
    return p;
}

void write_run_plot(const Run *run, const char *path)
{
    const Result *r = &run->result;
    const TimeSeries *t = &run->series;
    Line lines[2];
    Panel panels[4] = {velocity_panel(r, 'u', &lines[0]), velocity_panel(r, 'v', &lines[1])};
    int count = 2;
    if (t->links.count && t->samples)
        panels[count++] = (Panel){
            "forces on the bodies",
            "step",
            0,
            2,
            {{"drag", &t->force->step, &t->force->drag, t->samples, 4, 0},
              {"lift", &t->force->step, &t->force->lift, t->samples, 4, 0}}
        };
    if (run->checks)
        panels[count++] =
            (Panel){"change of the velocity in 1000 steps",
                    "step",
                    1,
                    1,
                    {{"relative", &run->changes->step, &run->changes->change, run->checks, 2, 0}}};
    char caption[CAPTION_SIZE];
    caption_of(caption, r, run->stage->name);
    write_plot(path, run->scenario.flow->name, caption, panels, count);
    free(lines[0].at);
    free(lines[1].at);
}
