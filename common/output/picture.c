#include "output/picture.h"

#include "host/allocate.h"
#include "result/gradient.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const field_names[FIELD_COUNT] = {"speed", "vorticity", "ux", "uy", "uz", "rho"};
const Colour wall_colour = {128, 128, 128};
const Colour nan_colour = {255, 0, 255};

void caption_of(char text[CAPTION_SIZE], const Snapshot *r, const char *stage)
{
    const Scenario *s = r->scenario;
    char depth[16] = "";
    if (is_in_space(s))
        snprintf(depth, sizeof depth, " x %d", s->depth);
    snprintf(text, CAPTION_SIZE, "Re %.4g, %d x %d%s cells, u %.4g, step %ld, %s", s->re, s->width, s->height,
             depth, s->u, r->step, stage);
}

Slice middle_slice(const Scenario *s)
{
    return (Slice){2, s->depth / 2};
}

int slice_width(const Scenario *s, Slice slice)
{
    return side_of(s, slice.axis == 0);
}

int slice_height(const Scenario *s, Slice slice)
{
    return side_of(s, slice.axis == 2 ? 1 : 2);
}

Position in_slice(Slice slice, int x, int y)
{
    const int n = slice.at;
    return slice.axis == 0   ? (Position){n, x, y}
           : slice.axis == 1 ? (Position){x, n, y}
                             : (Position){x, y, n};
}

void describe_slice(const Scenario *s, Slice slice, char text[SLICE_TEXT])
{
    *text = '\0';
    if (is_in_space(s))
        snprintf(text, SLICE_TEXT, "%c = %d, %s", "xyz"[slice.axis], slice.at,
                 slice.axis == 0   ? "z over y"
                 : slice.axis == 1 ? "z over x"
                                   : "y over x");
}

/* ---- Colours ---- */

static double lab_inverse(double t)
{
    const double delta = 6.0 / 29.0;
    return t > delta ? t * t * t : 3.0 * delta * delta * (t - 4.0 / 29.0);
}

/** One channel of linear light, 0 .. 1, encoded as in IEC 61966-2-1 (sRGB). */
static unsigned char encode(double light)
{
    const double c = fmin(fmax(light, 0.0), 1.0);
    return (unsigned char)lround(255.0 * (c <= 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1.0 / 2.4) - 0.055));
}

/** CIE 1976 L*a*b*, white point D65, to sRGB. */
static Colour from_lab(double l, double a, double b)
{
    const double fy = (l + 16.0) / 116.0;
    const double x = 0.95047 * lab_inverse(fy + a / 500.0);
    const double y = lab_inverse(fy);
    const double z = 1.08883 * lab_inverse(fy - b / 200.0);
    const Colour colour = {
        encode(3.2406 * x - 1.5372 * y - 0.4986 * z),
        encode(-0.9689 * x + 1.8758 * y + 0.0415 * z),
        encode(0.0557 * x - 0.2040 * y + 1.0570 * z),
    };
    return colour;
}

/** A helix in CIELAB: as t grows, lightness and angle do so evenly. */
Colour sequential_colour(double t)
{
    const double angle = -1.134 - 3.081 * t;
    return from_lab(14.0 + 78.0 * t, 17.0 + 52.0 * cos(angle), 18.5 + 52.0 * sin(angle));
}

/** Two straight lines in CIELAB, equally long, that meet in white. */
Colour diverging_colour(double t)
{
    const double reach = fabs(2.0 * t - 1.0);
    const double hue = t < 0.5 ? 4.974 : 0.611;
    return from_lab(95.0 - 55.0 * reach, 55.0 * reach * cos(hue), 55.0 * reach * sin(hue));
}

/* ---- Fields ---- */

static int is_signed(Field field)
{
    return field == VORTICITY || field == UX || field == UY || field == UZ;
}

static float field_at(const Snapshot *r, Field field, int axis, Position at)
{
    if (field == VORTICITY) {
        const Gradient g = gradient_at(r, at);
        return (float)vorticity(&g, axis);
    }
    const Moments m = r->moments[cell_at(r->scenario, at)];
    const float ux = (float)m.ux, uy = (float)m.uy, uz = (float)m.uz;
    return field == UX    ? ux
           : field == UY  ? uy
           : field == UZ  ? uz
           : field == RHO ? (float)m.drho
                          : sqrtf(hypotf(hypotf(ux, uy), uz));
}

/* ---- Scale ---- */

static size_t cells_of(const Picture *p)
{
    return (size_t)p->width * (size_t)p->height;
}

static int counts(const Picture *p, size_t cell)
{
    return !is_wall(p->type[cell]) && isfinite(p->value[cell]);
}

/** The 99th percentile of the absolute values, at most 1% above. Positive floats order as their bits do: the
 * upper 16 bits make bins of equal relative width. */
static float percentile_99(const Picture *p)
{
    const size_t cells = cells_of(p);
    size_t *count = allocate((1 << 15) * sizeof *count), total = 0, below = 0;
    for (size_t cell = 0; cell < cells; cell++)
        if (counts(p, cell)) {
            const float size = fabsf(p->value[cell]);
            uint32_t bits;
            memcpy(&bits, &size, sizeof bits);
            count[bits >> 16]++;
            total++;
        }
    uint32_t bin = 0;
    while (total > 0 && (below += count[bin]) < total - total / 100)
        bin++;
    free(count);

    const uint32_t upper_edge = bin ? bin << 16 | 0xffff : 0;
    float size;
    memcpy(&size, &upper_edge, sizeof size);
    return size;
}

static void set_scale(Picture *p)
{
    const Field field = p->field;
    const size_t cells = cells_of(p);
    float least = INFINITY, most = -INFINITY;
    for (size_t cell = 0; cell < cells; cell++)
        if (counts(p, cell)) {
            least = fminf(least, p->value[cell]);
            most = fmaxf(most, p->value[cell]);
        }
    if (is_signed(field)) {
        const float largest = field == VORTICITY ? percentile_99(p) : fmaxf(-least, most);
        p->high = largest > 0.0f ? largest : 1.0f;
        p->low = -p->high;
    } else {
        p->low = field == RHO ? least : 0.0f;
        p->high = most > p->low ? most : p->low + 1.0f;
    }
}

void fix_scale(Picture *p, double largest)
{
    p->high = (float)(p->field == SPEED ? sqrt(largest) : largest);
    p->low = p->field == SPEED ? 0.0f : -p->high;
}

double expected_size(const Scenario *s, Field field)
{
    const double fastest = s->mach / sqrt(3.0);
    return field == VORTICITY ? 5.0 * s->u / s->length
           : field == RHO     ? 9.0 * fastest * fastest
                              : 1.5 * fastest;
}

double place_on_scale(const Picture *p, double value)
{
    const double drawn = p->field == SPEED ? sqrt(value) : value;
    return (drawn - p->low) / ((double)p->high - p->low);
}

Picture create_picture(const Snapshot *r, Field field, Slice slice)
{
    const Scenario *s = r->scenario;
    Picture p = {.field = field, .width = slice_width(s, slice), .height = slice_height(s, slice)};
    p.type = allocate(cells_of(&p) * sizeof *p.type);
    p.value = allocate(cells_of(&p) * sizeof *p.value);
    for (size_t cell = 0; cell < cells_of(&p); cell++) {
        const Position at = in_slice(slice, (int)(cell % (size_t)p.width), (int)(cell / (size_t)p.width));
        p.type[cell] = s->type[cell_at(s, at)];
        p.value[cell] = field_at(r, field, slice.axis, at);
    }
    set_scale(&p);
    for (int n = 0; n < SHADES; n++) {
        const double t = n / (SHADES - 1.0);
        p.shade[n] = is_signed(field) ? diverging_colour(t) : sequential_colour(t);
    }
    return p;
}

void destroy_picture(Picture *p)
{
    free(p->type);
    free(p->value);
    p->type = NULL;
    p->value = NULL;
}

Colour colour_of(const Picture *p, int x0, int x1, int y0, int y1)
{
    long long fluid = 0, cells = (long long)(x1 - x0) * (y1 - y0);
    double sum = 0.0;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            const size_t cell = (size_t)y * p->width + x;
            if (!is_wall(p->type[cell])) {
                sum += p->value[cell];
                fluid++;
            }
        }
    if (2 * fluid <= cells)
        return wall_colour;
    const double t = (sum / (double)fluid - p->low) / ((double)p->high - p->low);
    return isfinite(t) ? p->shade[lround(fmin(fmax(t, 0.0), 1.0) * (SHADES - 1))] : nan_colour;
}
