#include "program/run.h"

#include "host/allocate.h"
#include "output/plot.h"
#include "studies/cavity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/** A line of cells along an axis, or between cells: the mean of those at `low` and `high`. */
typedef struct {
    int axis;
    Position low, high;
} CellLine;

static CellLine line_through_the_middle(const Scenario *s, int axis)
{
    return (CellLine){
        axis,
        {(s->width - 1) / 2, (s->height - 1) / 2, (s->depth - 1) / 2},
        {s->width / 2,       s->height / 2,       s->depth / 2      }
    };
}

/** Cell n of a line, or one of the four beside it. */
static Position on_line(const CellLine *line, int n, int side)
{
    const int first = side % 2, second = side / 2;
    Position at = {first ? line->high.x : line->low.x, second ? line->high.y : line->low.y,
                   (line->axis == 0 ? first : second) ? line->high.z : line->low.z};
    *(line->axis == 0 ? &at.x : line->axis == 1 ? &at.y : &at.z) = n;
    return at;
}

/** A component of the velocity, or of the analytic one, over u in cell n of a line; NaN in walls. */
static double velocity_at(const Snapshot *r, const CellLine *line, int component, int n, int exact)
{
    const Scenario *s = r->scenario;
    double sum = 0.0;
    for (int side = 0; side < 4; side++) {
        const Position at = on_line(line, n, side);
        const size_t cell = cell_at(s, at);
        if (is_wall(s->type[cell]))
            return NAN;
        const Moments m = exact ? exact_at(s, (double)r->step, at) : r->moments[cell];
        sum += (component == 0 ? m.ux : component == 1 ? m.uy : m.uz) / s->u;
    }
    return 0.25 * sum;
}

/** A curve of a component along a line over the numbers of its cells, at[]; its values get into value[]. */
static Curve curve_along(const Snapshot *r, const CellLine *line, int component, int exact, const double *at,
                         double *value)
{
    static const char *const names[] = {"ux", "uy", "uz"};
    const int count = side_of(r->scenario, line->axis), in_space = is_in_space(r->scenario);
    for (int n = 0; n < count; n++)
        value[n] = velocity_at(r, line, component, n, exact);
    return (Curve){
        exact ? "analytic" : in_space ? names[component] : "computed", at, value, (size_t)count, 1, exact};
}

/** Room for so many rows of a number for each cell of a line, the first of which holds the cells' numbers. */
static double *create_rows(int count, int rows)
{
    double *row = allocate((size_t)rows * (size_t)count * sizeof *row);
    for (int n = 0; n < count; n++)
        row[n] = n;
    return row;
}

static const char *const axis_names[] = {"x, cells", "y, cells", "z, cells"};

/** In a plane flow: ux up the middle, or uy across it, and what is known of it. */
static Panel panel_in_a_plane(const Snapshot *r, char line, double **rows)
{
    const Scenario *s = r->scenario;
    const CellLine cells = line_through_the_middle(s, line == 'u');
    const int count = side_of(s, cells.axis), room = count > GHIA_POINTS ? count : GHIA_POINTS;
    double *at = *rows = create_rows(room, 4), *velocity = at + room, *known_at = velocity + room,
           *known = known_at + room;
    Panel p = {line == 'u' ? "ux / u up the middle" : "uy / u across the middle",
               axis_names[cells.axis],
               0,
               1,
               {curve_along(r, &cells, line == 'v', 0, at, velocity)}};
    const int ghia = ghia_points(s, line, known_at, known);
    if (ghia > 0)
        p.curve[p.count++] = (Curve){"Ghia et al. 1982", known_at, known, (size_t)ghia, 1, 1};
    else if (s->flow->exact)
        p.curve[p.count++] = curve_along(r, &cells, line == 'v', 1, at, known);
    return p;
}

/** Adds what is published of a cube: uy along x (axis 0) or ux along y (axis 1). The values take two rows. */
static void add_published(const Scenario *s, int axis, Panel *p, double *row)
{
    double *velocity = row + GHIA_POINTS;
    const int points = ghia_points(s, axis == 0 ? 'v' : 'u', row, velocity);
    const Curve none = {"", row, velocity, 0, 1, 1};
    if (points == 0)
        return;
    if (axis == 0)
        p->curve[p->count++] = none; // so that the dots have the colour of uy
    p->curve[p->count++] = (Curve){s->depth == 1 ? "Ghia et al. 1982" : "Albensoeder & Kuhlmann 2005",
                                   row,
                                   velocity,
                                   (size_t)points,
                                   1,
                                   1};
}

/** In space: the velocity along an axis, through the first probe or else through the middle. */
static Panel panel_in_space(const Run *run, int axis, double **rows)
{
    static char titles[3][64];
    const Scenario *s = &run->scenario;
    const Probes *probes = &run->settings->probe;
    const Position through = probes->cell[0];
    CellLine line = line_through_the_middle(s, axis);
    snprintf(titles[axis], sizeof *titles, "velocity / u through the middle");
    if (probes->count > 0) {
        line.low = line.high = through;
        snprintf(titles[axis], sizeof *titles, "velocity / u through %d,%d,%d", through.x, through.y,
                 through.z);
    }
    const int count = side_of(s, axis), room = count > GHIA_POINTS ? count : GHIA_POINTS;
    double *at = *rows = create_rows(room, 7), *value = at;
    Panel p = {.title = titles[axis], .axis = axis_names[axis]};
    for (int n = 0; n < (s->flow->exact ? 6 : 3); n++)
        p.curve[p.count++] = curve_along(&run->result, &line, n % 3, n / 3, at, value += room);
    for (int n = 4; n < p.count; n++)
        p.curve[n].name = ""; // one name stands for all three
    if (axis < 2 && probes->count == 0)
        add_published(s, axis, &p, at + 4 * room);
    return p;
}

static int velocity_panels(const Run *run, Panel *panels, double **rows)
{
    if (!is_in_space(&run->scenario)) {
        panels[0] = panel_in_a_plane(&run->result, 'u', &rows[0]);
        panels[1] = panel_in_a_plane(&run->result, 'v', &rows[1]);
        return 2;
    }
    for (int axis = 0; axis < 3; axis++)
        panels[axis] = panel_in_space(run, axis, &rows[axis]);
    return 3;
}

void write_run_plot(const Run *run, const char *path)
{
    const TimeSeries *t = &run->series;
    double *rows[3] = {NULL};
    Panel panels[5];
    int count = velocity_panels(run, panels, rows);
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
    caption_of(caption, &run->result, run->stage->name);
    write_plot(path, run->scenario.flow->name, caption, panels, count);
    for (int n = 0; n < 3; n++)
        free(rows[n]);
}
