#include "output.h"

#include "allocate.h"
#include "fail.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_PNG
#include <png.h>
#endif

/* ---- Files that are there as a whole or not at all ---- */

/** The temporary file there is now; "" if none. Read by a signal handler. */
static char pending[PATH_MAX];

void discard_output(void)
{
    if (*pending)
        unlink(pending);
}

/** A file on its way: it is written beside its target and then renamed. */
typedef struct {
    const char *path;
    FILE *file;
} Output;

NORETURN static void cannot_write(const char *path, const char *reason)
{
    fail(EXIT_MACHINE, "cannot write %s: %s", path, reason);
}

NORETURN static void give_up(Output *o, const char *reason)
{
    if (o->file)
        fclose(o->file);
    discard_output();
    cannot_write(o->path, reason);
}

/** What is there may only be replaced if it is a file of the user's: no directory, no device, no link. */
static void check_target(const char *path)
{
    struct stat status;
    if (*path == '\0')
        cannot_write("''", "the name of a file is needed");
    if (lstat(path, &status) != 0) {
        if (errno != ENOENT)
            cannot_write(path, strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        cannot_write(path, S_ISDIR(status.st_mode) ? "it is a directory" : "it is not a regular file");
    } else if (access(path, W_OK) != 0) {
        cannot_write(path, strerror(errno));
    }
}

static void begin(Output *o, const char *path)
{
    check_target(path);
    signal(SIGXFSZ, SIG_IGN); // a file over the user's limit is to be an error, not the end
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char temporary[PATH_MAX];
    const int length = snprintf(temporary, sizeof temporary, "%.*s.%.200s.%ld", (int)(name - path), path,
                                name, (long)getpid());
    if (length >= (int)sizeof temporary)
        cannot_write(path, strerror(ENAMETOOLONG));
    o->path = path;
    o->file = fopen(temporary, "wbx");
    if (!o->file)
        cannot_write(path, strerror(errno));
    strcpy(pending, temporary);
    struct stat old;
    if (stat(path, &old) == 0 && fchmod(fileno(o->file), old.st_mode & 0777) != 0)
        give_up(o, strerror(errno));
}

static void put(Output *o, const void *data, size_t bytes)
{
    if (fwrite(data, 1, bytes, o->file) != bytes)
        give_up(o, strerror(errno));
}

__attribute__((format(printf, 2, 3))) static void print(Output *o, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vfprintf(o->file, format, arguments);
    va_end(arguments);
    if (length < 0)
        give_up(o, strerror(errno));
}

/** All that was written is on the disk before the name changes. */
static void finish(Output *o)
{
    if (fflush(o->file) != 0 || fsync(fileno(o->file)) != 0)
        give_up(o, strerror(errno));
    FILE *file = o->file;
    o->file = NULL;
    if (fclose(file) != 0 || rename(pending, o->path) != 0)
        give_up(o, strerror(errno));
    *pending = '\0';
}

void check_writable(const char *path)
{
    Output o;
    begin(&o, path);
    fclose(o.file);
    discard_output();
    *pending = '\0';
}

/* ---- Numbers for other programs ---- */

/** The XML around the arrays, up to the mark after which the raw bytes begin. */
static void print_vtk_header(Output *o, const Scenario *s)
{
    const char *order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "LittleEndian" : "BigEndian";
    const size_t cells = cell_count(s), size = sizeof(uint64_t);
    const size_t velocity = size + 4 * cells, type = velocity + size + 12 * cells;
    print(o, "<?xml version=\"1.0\"?>\n");
    print(o, "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"%s\" header_type=\"UInt64\">\n",
          order);
    print(o,
          "  <ImageData WholeExtent=\"0 %d 0 %d 0 1\" Origin=\"-0.5 -0.5 -0.5\" Spacing=\"1 1 1\">\n"
          "    <Piece Extent=\"0 %d 0 %d 0 1\">\n",
          s->width, s->height, s->width, s->height);
    print(o,
          "      <CellData Scalars=\"density\" Vectors=\"velocity\">\n"
          "        <DataArray type=\"Float32\" Name=\"density\" format=\"appended\" offset=\"0\"/>\n"
          "        <DataArray type=\"Float32\" Name=\"velocity\" NumberOfComponents=\"3\" format=\"appended\""
          " offset=\"%zu\"/>\n"
          "        <DataArray type=\"UInt8\" Name=\"type\" format=\"appended\" offset=\"%zu\"/>\n"
          "      </CellData>\n",
          velocity, type);
    print(o, "    </Piece>\n  </ImageData>\n  <AppendedData encoding=\"raw\">\n_");
}

/** Each appended array begins with its size in bytes. */
static void put_size(Output *o, uint64_t bytes)
{
    put(o, &bytes, sizeof bytes);
}

void write_vtk(const char *path, const Scenario *s, const float *f)
{
    const size_t cells = cell_count(s);
    Output o;
    begin(&o, path);
    print_vtk_header(&o, s);
    put_size(&o, 4 * cells);
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const Moments m = moments_at(s, f, x, y);
            put(&o, &m.rho, sizeof m.rho);
        }
    put_size(&o, 12 * cells);
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const Moments m = moments_at(s, f, x, y);
            const float velocity[3] = {m.ux, m.uy, 0.0f};
            put(&o, velocity, sizeof velocity);
        }
    put_size(&o, cells);
    put(&o, s->type, cells);
    print(&o, "\n  </AppendedData>\n</VTKFile>\n");
    finish(&o);
}

void write_csv(const char *path, const Scenario *s, const float *f)
{
    Output o;
    begin(&o, path);
    print(&o, "x,y,rho,ux,uy\n");
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const Moments m = moments_at(s, f, x, y);
            print(&o, "%d,%d,%.9g,%.9g,%.9g\n", x, y, m.rho, m.ux, m.uy);
        }
    finish(&o);
}

void write_table(const char *path, const char *names, const double *value, size_t rows, int columns)
{
    Output o;
    begin(&o, path);
    print(&o, "%s\n", names);
    for (size_t row = 0; row < rows; row++)
        for (int n = 0; n < columns; n++)
            print(&o, "%.9g%c", value[row * columns + n], n < columns - 1 ? ',' : '\n');
    finish(&o);
}

void write_text(const char *path, const char *text, size_t size)
{
    Output o;
    begin(&o, path);
    put(&o, text, size);
    finish(&o);
}

/* ---- Pictures ---- */

#ifdef HAVE_PNG

int can_write_png(void)
{
    return 1;
}

/** Where libpng ends when it can't go on; it must not return, and so nothing is left to jump to. */
NORETURN static void on_png_error(png_structp png, png_const_charp message)
{
    Output *o = png_get_error_ptr(png);
    give_up(o, ferror(o->file) ? strerror(errno) : message);
}

static void on_png_warning(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

static void put_png(Output *o, const Picture *picture, Colour *row)
{
    const int width = picture->scenario->width, height = picture->scenario->height;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, o, on_png_error, on_png_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info)
        give_up(o, strerror(ENOMEM));
    png_init_io(png, o->file);
    png_set_user_limits(png, INT_MAX, INT_MAX);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int y = height - 1; y >= 0; y--) {
        for (int x = 0; x < width; x++)
            row[x] = colour_of(picture, x, x + 1, y, y + 1);
        png_write_row(png, (png_const_bytep)row);
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
}

void write_png(const char *path, const Scenario *s, const float *f, Field field)
{
    Picture picture = create_picture(s, f, field);
    Colour *row = allocate((size_t)s->width * sizeof *row);
    Output o;
    begin(&o, path);
    put_png(&o, &picture, row);
    finish(&o);
    free(row);
    destroy_picture(&picture);
}

#else

int can_write_png(void)
{
    return 0;
}

void write_png(const char *path, const Scenario *s, const float *f, Field field)
{
    (void)s, (void)f, (void)field;
    fail(EXIT_USAGE, "cannot write %s: built without libpng (Debian: apt install libpng-dev, build again)",
         path);
}

#endif

/** Colours of one row of a picture of columns x rows pixels, row 0 on top. */
static void scale_row(const Picture *p, int columns, int rows, int row, Colour *colour)
{
    const long long width = p->scenario->width, height = p->scenario->height;
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

void draw(FILE *terminal, int columns, int rows, const Scenario *s, const float *f, Field field)
{
    const double scale = fmin((double)columns / s->width, 2.0 * rows / s->height);
    columns = between(1, lround(scale * s->width), columns);
    rows = between(1, lround(0.5 * scale * s->height), rows);

    char *frame = NULL;
    size_t length = 0;
    FILE *text = open_memstream(&frame, &length);
    if (!text)
        fail(EXIT_MACHINE, "cannot draw the flow: %s", strerror(errno));
    Picture picture = create_picture(s, f, field);
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
    fflush(terminal);
    free(frame);
}
