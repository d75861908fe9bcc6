#include "output/text_picture.h"

#include "host/allocate.h"
#include "host/fail.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Colours of one row of a picture of columns x rows pixels, row 0 on top. */
static void scale_row(const Picture *p, int columns, int rows, int row, Colour *colour)
{
    const long long width = p->width, height = p->height;
    const int above = rows - 1 - row;
    const int y0 = (int)(above * height / rows), y1 = (int)((above + 1) * height / rows);
    for (int n = 0; n < columns; n++) {
        const int x0 = (int)(n * width / columns), x1 = (int)((n + 1) * width / columns);
        colour[n] = colour_of(p, x0, x1 > x0 ? x1 : x0 + 1, y0, y1 > y0 ? y1 : y0 + 1);
    }
}

static int differ(Colour a, Colour b)
{
    return a.red != b.red || a.green != b.green || a.blue != b.blue;
}

/** One line of upper half blocks: the foreground is the upper pixel, the background the lower one. */
static void print_line(FILE *text, const Colour *upper, const Colour *lower, int columns)
{
    for (int n = 0; n < columns; n++) {
        if (n == 0 || differ(upper[n], upper[n - 1]))
            fprintf(text, "\x1b[38;2;%d;%d;%dm", upper[n].red, upper[n].green, upper[n].blue);
        if (n == 0 || differ(lower[n], lower[n - 1]))
            fprintf(text, "\x1b[48;2;%d;%d;%dm", lower[n].red, lower[n].green, lower[n].blue);
        fputs("\u2580", text);
    }
    fputs("\x1b[0m\n", text);
}

static int between(int least, long value, int most)
{
    return value < least || most < least ? least : value > most ? most : (int)value;
}

void draw(FILE *terminal, int columns, int rows, const Snapshot *r, Field field, Slice slice)
{
    Picture picture = create_picture(r, field, slice);
    const double scale = fmin((double)columns / picture.width, 2.0 * rows / picture.height);
    columns = between(1, lround(scale * picture.width), columns);
    rows = between(1, lround(0.5 * scale * picture.height), rows);

    char *frame = NULL;
    size_t length = 0;
    FILE *text = open_memstream(&frame, &length);
    if (!text)
        fail(EXIT_MACHINE, "cannot draw the flow: %s", strerror(errno));
    Colour *upper = allocate(2 * (size_t)columns * sizeof *upper), *lower = upper + columns;
    for (int line = 0; line < rows; line++) {
        scale_row(&picture, columns, 2 * rows, 2 * line, upper);
        scale_row(&picture, columns, 2 * rows, 2 * line + 1, lower);
        print_line(text, upper, lower, columns);
    }
    free(upper);
    destroy_picture(&picture);
    if (fclose(text) != 0)
        fail(EXIT_MACHINE, "cannot draw the flow: %s", strerror(errno));
    fwrite(frame, 1, length, terminal);
    free(frame);
}
