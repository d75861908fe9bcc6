#include "output/plot.h"

#include "host/fail.h"
#include "output/output_file.h"

#include <math.h>
#include <stdio.h>
#ifdef HAVE_CAIRO

#include "output/text.h"

#include <cairo-svg.h>

/** All lengths are pixels; inside a panel, the axes take the rest of its width and height. */
enum { PANEL = 400, HEIGHT = 300, LABELS = 64, TICK = 5, MOST_POINTS = 2000 };

/** What is drawn along an axis: from `low` to `high`, on `length` pixels. */
typedef struct {
    double low, high, length;
} Axis;

static double x_of(const Curve *c, size_t n)
{
    return c->x[c->stride * n];
}

/** The value as it is drawn: its logarithm where the panel says so. */
static double y_of(const Panel *p, const Curve *c, size_t n)
{
    const double y = c->y[c->stride * n];
    return p->logarithmic ? (y > 0.0 ? log10(y) : NAN) : y;
}

static double place(const Axis *a, double value)
{
    return (value - a->low) / (a->high - a->low) * a->length;
}

static double extent(double (*pick)(double, double), double so_far, double value)
{
    return isfinite(value) ? pick(so_far, value) : so_far;
}

/** Makes an axis a little longer than its values, also where there are none, or one. */
static Axis padded(double low, double high, double length)
{
    if (!(low <= high))
        low = high = 0.0;
    const double pad = high > low ? 0.04 * (high - low) : fmax(1.0, fabs(low)) * 0.5;
    return (Axis){low - pad, high + pad, length};
}

static void find_axes(const Panel *p, Axis *x, Axis *y)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < p->count; k++)
        for (size_t n = 0; n < p->curve[k].count; n++) {
            const double value[2] = {x_of(&p->curve[k], n), y_of(p, &p->curve[k], n)};
            for (int axis = 0; axis < 2; axis++) {
                low[axis] = extent(fmin, low[axis], value[axis]);
                high[axis] = extent(fmax, high[axis], value[axis]);
            }
        }
    *x = padded(low[0], high[0], PANEL - LABELS);
    *y = padded(low[1], high[1], HEIGHT);
}

/** Numbers and pale lines across the panel: along x if `upright`, else along y. */
static void draw_grid(cairo_t *cr, const Axis *axis, const Axis *other, int upright, int logarithmic)
{
    const double step =
        logarithmic ? fmax(1.0, nice_step(axis->high - axis->low)) : nice_step(axis->high - axis->low);
    for (double k = ceil(axis->low / step) + 0.0; k * step <= axis->high; k++) {
        const double at = floor(place(axis, k * step));
        char text[40];
        if (logarithmic)
            snprintf(text, sizeof text, "1e%g", k * step);
        else
            number_text(text, k * step, axis->low, axis->high, step);
        cairo_set_source_rgb(cr, 0.88, 0.88, 0.88);
        if (upright)
            cairo_rectangle(cr, at, 0, 1, other->length);
        else
            cairo_rectangle(cr, 0, axis->length - at, other->length, 1);
        cairo_fill(cr);
        cairo_set_source_rgb(cr, 0.0, 0.0, 0.0);
        if (upright)
            write_text(cr, at, other->length + TICK + TEXT, MIDDLE, text);
        else
            write_text(cr, -TICK, axis->length - at + TEXT / 3.0, RIGHT, text);
    }
}

/** A line through every point, or where there are very many, through the least and the largest of a few. */
static void draw_line(cairo_t *cr, const Panel *p, const Curve *c, const Axis *x, const Axis *y)
{
    const size_t few = 1 + (c->count - 1) / MOST_POINTS;
    int is_on = 0;
    for (size_t n = 0; n < c->count; n += few) {
        double least = INFINITY, most = -INFINITY;
        for (size_t k = n; k < n + few && k < c->count; k++) {
            least = extent(fmin, least, y_of(p, c, k));
            most = extent(fmax, most, y_of(p, c, k));
        }
        const double across = place(x, x_of(c, n));
        if (!(least <= most)) {
            is_on = 0;
            continue;
        }
        (is_on ? cairo_line_to : cairo_move_to)(cr, across, y->length - place(y, least));
        if (most > least)
            cairo_line_to(cr, across, y->length - place(y, most));
        is_on = 1;
    }
    cairo_stroke(cr);
}

static void draw_dots(cairo_t *cr, const Panel *p, const Curve *c, const Axis *x, const Axis *y)
{
    for (size_t n = 0; n < c->count; n++)
        if (isfinite(y_of(p, c, n))) {
            cairo_new_sub_path(cr);
            cairo_arc(cr, place(x, x_of(c, n)), y->length - place(y, y_of(p, c, n)), 3.5, 0.0,
                      2.0 * acos(-1.0));
        }
    cairo_stroke(cr);
}

static void draw_panel(cairo_t *cr, const Panel *p)
{
    enum { COLOURS = 3 };
    static const double colours[COLOURS][3] = {
        {0.10, 0.35, 0.65},
        {0.70, 0.20, 0.15},
        {0.20, 0.50, 0.20}
    };
    Axis x, y;
    find_axes(p, &x, &y);
    write_text(cr, 0, -GAP - TEXT, LEFT, p->title);
    write_text(cr, x.length / 2, y.length + TICK + 2 * TEXT + GAP, MIDDLE, p->axis);
    draw_grid(cr, &x, &y, 1, 0);
    draw_grid(cr, &y, &x, 0, p->logarithmic);
    double after = 0.0;
    for (int k = 0; k < p->count; k++) {
        const double *colour = colours[k % COLOURS];
        cairo_set_source_rgb(cr, colour[0], colour[1], colour[2]);
        cairo_set_line_width(cr, 1.5);
        (p->curve[k].dots ? draw_dots : draw_line)(cr, p, &p->curve[k], &x, &y);
        write_text(cr, after, -GAP / 2, LEFT, p->curve[k].name);
        after += text_width(cr, p->curve[k].name) + 2 * GAP;
    }
    cairo_set_source_rgb(cr, 0.0, 0.0, 0.0);
    cairo_set_line_width(cr, 1.0);
    cairo_rectangle(cr, 0.5, 0.5, x.length, y.length);
    cairo_stroke(cr);
}

static void draw_panels(cairo_t *cr, const char *title, const char *caption, const Panel *panels, int count)
{
    begin_page(cr, MARGIN, MARGIN, title, caption);
    cairo_translate(cr, MARGIN + LABELS - GAP, MARGIN + TITLE + 3 * TEXT + 4 * GAP);
    for (int n = 0; n < count; n++) {
        draw_panel(cr, &panels[n]);
        cairo_translate(cr, PANEL + GAP, 0);
    }
}

void write_plot(const char *path, const char *title, const char *caption, const Panel *panels, int count)
{
    const double width = 2 * MARGIN + count * (PANEL + GAP),
                 height = 2 * MARGIN + TITLE + 6 * TEXT + 6 * GAP + HEIGHT;
    check_room_to_draw();
    OutputFile o;
    begin_file(&o, path);
    cairo_surface_t *page = cairo_svg_surface_create_for_stream(put_bytes, &o, width, height);
    cairo_t *cr = cairo_create(page);
    draw_panels(cr, title, caption, panels, count);
    const cairo_status_t drawn = cairo_status(cr);
    cairo_destroy(cr);
    cairo_surface_finish(page);
    const cairo_status_t status = drawn == CAIRO_STATUS_SUCCESS ? cairo_surface_status(page) : drawn;
    if (status != CAIRO_STATUS_SUCCESS)
        give_up(&o, cairo_status_to_string(status));
    cairo_surface_destroy(page);
    finish_file(&o);
}

#else

void write_plot(const char *path, const char *title, const char *caption, const Panel *panels, int count)
{
    (void)title, (void)caption, (void)panels, (void)count;
    fail(EXIT_USAGE, "cannot draw %s: built without Cairo (Debian: apt install libcairo2-dev, build again)",
         path);
}

#endif
