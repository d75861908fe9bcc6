#include "output/screen.h"

#include "host/allocate.h"
#include "host/fail.h"
#include "host/standard_output.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static volatile sig_atomic_t is_open;

/** Past stdio, which no signal handler may use. */
static void send(const char *sequence)
{
    const ssize_t sent = write(STDOUT_FILENO, sequence, strlen(sequence));
    (void)sent; // a terminal that has gone away needs no care
}

static void enter(void)
{
    send("\033[?1049h\033[?25l\033[2J"); // other screen, no cursor, blank
}

static void leave(void)
{
    send("\033[0m\033[?25h\033[?1049l");
}

static void on_stop(int number)
{
    (void)number;
    const int error = errno;
    if (is_open)
        leave();
    raise(SIGSTOP);
    if (is_open)
        enter();
    errno = error;
}

void open_screen(void)
{
    add_cleanup(restore_screen);
    atexit(restore_screen);
    sigaction(SIGTSTP, &(struct sigaction){.sa_handler = on_stop, .sa_flags = SA_RESTART}, NULL);
    flush_standard_output();
    is_open = 1;
    enter();
}

void restore_screen(void)
{
    if (is_open)
        leave();
    is_open = 0;
}

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

void show_frame(const Snapshot *result, Field field, Slice slice, const char *text)
{
    struct winsize window;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col < 1 || window.ws_row < 2)
        window = (struct winsize){.ws_col = 80, .ws_row = 24};
    printf("\033[H");
    draw(stdout, window.ws_col, window.ws_row - 1, result, field, slice);
    printf("\033[J\033[%d;1H%.*s", window.ws_row, window.ws_col, text); // blank below, then the last row
    flush_standard_output();
}
