#include "output/figure.h"

#include "host/fail.h"
#include "output/output_file.h"
#include "output/streamlines.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#ifdef HAVE_CAIRO

#include "output/text.h"

/** All lengths are pixels. */
enum { SHORTEST = 800, LONGEST = 1600, BAR = 18, TICK = 5 };

/** What stands where. */
typedef struct {
    int cells;         /**< of a pixel, along each side; 1 or more */
    int pixels;        /**< of a cell, along each side; 1 or more */
    int width, height; /**< of the flow */
    int full_width;    /**< of all */
    char title[CAPTION_SIZE], caption[CAPTION_SIZE], quantity[CAPTION_SIZE];
} Layout;

static const char *const quantities[FIELD_COUNT] = {
    "speed, cells a step; colours by its root", "vorticity, 1 / step",
    "velocity along x, cells a step",           "velocity along y, cells a step",
    "velocity along z, cells a step",           "density less 1",
};

int can_draw(void)
{
    return 1;
}

/** The next even number: films take no others. */
static int even(int n)
{
    return n + n % 2;
}

/** The name of the flow and that of the field; in space also where it is shown. */
static void title_of(char text[CAPTION_SIZE], const Scenario *s, const Look *look)
{
    char slice[SLICE_TEXT];
    describe_slice(s, look->slice, slice);
    snprintf(text, CAPTION_SIZE, "%s: %s%s%s", s->flow->name, field_names[look->field], *slice ? ", " : "",
             slice);
}

/** What the numbers under the colour bar count. */
static void quantity_of(char text[CAPTION_SIZE], const Scenario *s, const Look *look)
{
    if (look->field == VORTICITY && is_in_space(s))
        snprintf(text, CAPTION_SIZE, "vorticity along %c, 1 / step", "xyz"[look->slice.axis]);
    else
        snprintf(text, CAPTION_SIZE, "%s", quantities[look->field]);
}

static Layout lay_out(const Snapshot *r, const Picture *p, const Look *look, const char *stage,
                      const char *path)
{
    const int longer = p->width > p->height ? p->width : p->height;
    Layout l = {.cells = 1 + (longer - 1) / LONGEST, .pixels = 1 + (SHORTEST - 1) / longer};
    l.width = (1 + (p->width - 1) / l.cells) * l.pixels;
    l.height = (1 + (p->height - 1) / l.cells) * l.pixels;
    title_of(l.title, r->scenario, look);
    quantity_of(l.quantity, r->scenario, look);
    caption_of(l.caption, r, stage);

    cairo_surface_t *none = cairo_recording_surface_create(CAIRO_CONTENT_COLOR, NULL);
    cairo_t *cr = cairo_create(none);
    use_title(cr);
    double widest = fmax(l.width, text_width(cr, l.title));
    use_text(cr);
    widest = fmax(widest, fmax(text_width(cr, l.caption), text_width(cr, l.quantity)));
    l.full_width = even((int)ceil(widest) + 2 * MARGIN);
    check_cairo(cairo_status(cr), path);
    cairo_destroy(cr);
    cairo_surface_destroy(none);
    return l;
}

/** The flow alone: one pixel for each cell, or for some. */
static cairo_surface_t *draw_cells(const Picture *p, const Layout *l, const char *path)
{
    const int width = l->width / l->pixels, height = l->height / l->pixels, n = l->cells;
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    check_cairo(cairo_surface_status(image), path);
    unsigned char *data = cairo_image_surface_get_data(image);
    const int stride = cairo_image_surface_get_stride(image);
    for (int y = 0; y < height; y++) {
        uint32_t *row = (uint32_t *)(void *)(data + (size_t)(height - 1 - y) * stride);
        const int y1 = (y + 1) * n < p->height ? (y + 1) * n : p->height;
        for (int x = 0; x < width; x++) {
            const int x1 = (x + 1) * n < p->width ? (x + 1) * n : p->width;
            const Colour c = colour_of(p, x * n, x1, y * n, y1);
            row[x] = (uint32_t)c.red << 16 | (uint32_t)c.green << 8 | c.blue;
        }
    }
    cairo_surface_mark_dirty(image);
    return image;
}

static void draw_piece(void *target, double x0, double y0, double x1, double y1)
{
    cairo_move_to(target, x0, y0);
    cairo_line_to(target, x1, y1);
}

static void draw_lines(cairo_t *cr, const Snapshot *r, const Layout *l, Field field)
{
    const double scale = (double)l->pixels / l->cells;
    cairo_save(cr);
    cairo_translate(cr, 0.5 * scale, l->height - 0.5 * scale);
    cairo_scale(cr, scale, -scale);
    draw_streamlines(r, draw_piece, cr);
    cairo_restore(cr);
    if (field == SPEED || field == RHO)
        cairo_set_source_rgba(cr, 1.0, 1.0, 1.0, 0.7);
    else
        cairo_set_source_rgba(cr, 0.0, 0.0, 0.0, 0.6);
    cairo_set_line_width(cr, 1.2);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    cairo_stroke(cr);
}

static void draw_flow(cairo_t *cr, const Snapshot *r, const Picture *p, const Layout *l, const Look *look,
                      const char *path)
{
    cairo_surface_t *cells = draw_cells(p, l, path);
    cairo_save(cr);
    cairo_scale(cr, l->pixels, l->pixels);
    cairo_set_source_surface(cr, cells, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST);
    cairo_paint(cr);
    cairo_restore(cr);
    cairo_surface_destroy(cells);
    if (look->streamlines)
        draw_lines(cr, r, l, look->field);
}

static void draw_ticks(cairo_t *cr, const Picture *p, double width)
{
    const double low = p->field == SPEED ? 0.0 : p->low;
    const double high = p->field == SPEED ? (double)p->high * p->high : p->high, step = nice_step(high - low);
    double free_from = -INFINITY;
    for (double k = ceil(low / step - 1e-6) + 0.0; k * step <= high + 1e-6 * step; k++) {
        const double x = place_on_scale(p, fmax(k * step, low)) * width;
        char number[32];
        number_text(number, k * step, low, high, step);
        const double half = text_width(cr, number) / 2;
        cairo_rectangle(cr, floor(fmin(x, width - 1)), BAR, 1, TICK);
        cairo_fill(cr);
        if (x - half < free_from)
            continue;
        write_text(cr, x, BAR + TICK + TEXT, MIDDLE, number);
        free_from = x + half + 6;
    }
}

/** Whether some cell has a value below the first shade, or beyond the last. */
static void find_beyond(const Picture *p, int *below, int *above)
{
    const size_t cells = (size_t)p->width * (size_t)p->height;
    const float room = 1e-6f * (p->high - p->low);
    for (size_t cell = 0; cell < cells; cell++)
        if (!is_wall(p->type[cell])) {
            *below |= p->value[cell] < p->low - room;
            *above |= p->value[cell] > p->high + room;
        }
}

/** A pointed end of the colour bar: there are values beyond it. */
static void draw_point(cairo_t *cr, double x, double length, Colour c)
{
    cairo_set_source_rgb(cr, c.red / 255.0, c.green / 255.0, c.blue / 255.0);
    cairo_move_to(cr, x, 0);
    cairo_line_to(cr, x + length, BAR / 2.0);
    cairo_line_to(cr, x, BAR);
    cairo_fill(cr);
}

static void draw_bar(cairo_t *cr, const Picture *p, double width)
{
    for (int n = 0; n < SHADES; n++) {
        const Colour c = p->shade[n];
        const double x0 = floor(n * width / SHADES), x1 = floor((n + 1) * width / SHADES);
        cairo_set_source_rgb(cr, c.red / 255.0, c.green / 255.0, c.blue / 255.0);
        cairo_rectangle(cr, x0, 0, x1 - x0, BAR);
        cairo_fill(cr);
    }
    int below = 0, above = 0;
    find_beyond(p, &below, &above);
    if (below)
        draw_point(cr, -2, -BAR / 2.0, p->shade[0]);
    if (above)
        draw_point(cr, width + 2, BAR / 2.0, p->shade[SHADES - 1]);
    cairo_set_source_rgb(cr, 0.0, 0.0, 0.0);
    if (isfinite(p->low) && isfinite(p->high))
        draw_ticks(cr, p, width);
}

static void draw_all(cairo_t *cr, const Snapshot *r, const Picture *p, const Layout *l, const Look *look,
                     const char *path)
{
    const double inner = l->full_width - 2 * MARGIN, bar = fmin(inner - 2 * MARGIN, SHORTEST);
    cairo_translate(cr, MARGIN, MARGIN);
    begin_page(cr, 0, 0, l->title, l->caption);
    cairo_translate(cr, 0, TITLE + TEXT + 2 * GAP);
    cairo_save(cr);
    cairo_translate(cr, floor((inner - l->width) / 2), 0);
    draw_flow(cr, r, p, l, look, path);
    cairo_restore(cr);

    cairo_translate(cr, floor((inner - bar) / 2), l->height + GAP);
    use_text(cr);
    draw_bar(cr, p, bar);
    write_text(cr, bar / 2, BAR + TICK + 2 * TEXT + GAP, MIDDLE, l->quantity);
}

void write_figure(const char *path, const Snapshot *r, const Look *look, const char *stage)
{
    check_room_to_draw();
    Picture picture = create_picture(r, look->field, look->slice);
    if (look->largest > 0.0)
        fix_scale(&picture, look->largest);
    const Layout l = lay_out(r, &picture, look, stage, path);
    const int full_height = even(2 * MARGIN + TITLE + 4 * GAP + 3 * TEXT + l.height + BAR + TICK);
    cairo_surface_t *canvas = cairo_image_surface_create(CAIRO_FORMAT_RGB24, l.full_width, full_height);
    cairo_t *cr = cairo_create(canvas);
    draw_all(cr, r, &picture, &l, look, path);
    check_cairo(cairo_status(cr), path);
    cairo_destroy(cr);
    destroy_picture(&picture);

    OutputFile o;
    begin_file(&o, path);
    const cairo_status_t status = cairo_surface_write_to_png_stream(canvas, put_bytes, &o);
    if (status != CAIRO_STATUS_SUCCESS)
        give_up(&o, cairo_status_to_string(status));
    finish_file(&o);
    cairo_surface_destroy(canvas);
}

#else

int can_draw(void)
{
    return 0;
}

void write_figure(const char *path, const Snapshot *r, const Look *look, const char *stage)
{
    (void)r, (void)look, (void)stage;
    fail(EXIT_USAGE, "cannot draw %s: built without Cairo (Debian: apt install libcairo2-dev, build again)",
         path);
}

#endif
