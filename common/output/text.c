#include "output/text.h"

#ifdef HAVE_CAIRO

#include "host/allocate.h"
#include "host/fail.h"
#include "output/output_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __SANITIZE_ADDRESS__
/** What the leak sanitizer asks for: what the library that finds fonts keeps is not ours to free. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_options(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libfontconfig";
}

const char *__lsan_default_options(void)
{
    return "print_suppressions=0";
}
#endif

void check_room_to_draw(void)
{
    free(allocate(8 << 20)); // twice what they were seen to take
}

void check_cairo(cairo_status_t status, const char *path)
{
    if (status != CAIRO_STATUS_SUCCESS)
        fail(EXIT_MACHINE, "cannot draw %s: %s", path, cairo_status_to_string(status));
}

static void use_letters(cairo_t *cr, double size, cairo_font_weight_t weight)
{
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, weight);
    cairo_set_font_size(cr, size);
}

void use_title(cairo_t *cr)
{
    use_letters(cr, TITLE, CAIRO_FONT_WEIGHT_BOLD);
}

void use_text(cairo_t *cr)
{
    use_letters(cr, TEXT, CAIRO_FONT_WEIGHT_NORMAL);
}

double text_width(cairo_t *cr, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(cr, text, &extents);
    return extents.x_advance;
}

void write_text(cairo_t *cr, double x, double y, Anchor anchor, const char *text)
{
    const double before = anchor == LEFT ? 0.0 : anchor == MIDDLE ? 0.5 : 1.0;
    cairo_move_to(cr, floor(x - before * text_width(cr, text)), floor(y));
    cairo_show_text(cr, text);
}

void begin_page(cairo_t *cr, double x, double y, const char *title, const char *caption)
{
    cairo_set_source_rgb(cr, 1.0, 1.0, 1.0);
    cairo_paint(cr);
    cairo_set_source_rgb(cr, 0.0, 0.0, 0.0);
    use_title(cr);
    write_text(cr, x, y + TITLE, LEFT, title);
    use_text(cr);
    write_text(cr, x, y + TITLE + GAP + TEXT, LEFT, caption);
}

double nice_step(double span)
{
    const double power = pow(10.0, floor(log10(span / 4.0))), lead = span / 4.0 / power;
    return power * (lead < 2.0 ? 1.0 : lead < 5.0 ? 2.0 : 5.0);
}

void number_text(char text[32], double number, double low, double high, double step)
{
    const double largest = fmax(fabs(low), fabs(high));
    const int digits = (int)fmax(6.0, fmin(17.0, 2.0 + floor(log10(largest / step))));
    snprintf(text, 32, "%.*g", digits, number);
}

cairo_status_t put_bytes(void *output, const unsigned char *bytes, unsigned count)
{
    put(output, bytes, count);
    return CAIRO_STATUS_SUCCESS;
}

#endif
