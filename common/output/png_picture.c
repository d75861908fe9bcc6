#include "output/png_picture.h"

#include "host/allocate.h"
#include "output/output_file.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_PNG
#include <png.h>
#endif

#ifdef HAVE_PNG

int can_write_png(void)
{
    return 1;
}

/** Where libpng ends when it can't go on; it must not return, and so nothing is left to jump to. */
NORETURN static void on_png_error(png_structp png, png_const_charp message)
{
    OutputFile *o = png_get_error_ptr(png);
    give_up(o, ferror(o->file) ? strerror(errno) : message);
}

static void on_png_warning(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

static void put_png(OutputFile *o, const Picture *picture, Colour *row)
{
    const int width = picture->width, height = picture->height;
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

void write_png(const char *path, const Snapshot *r, Field field, Slice slice, double largest)
{
    Picture picture = create_picture(r, field, slice);
    if (largest > 0.0)
        fix_scale(&picture, largest);
    Colour *row = allocate((size_t)picture.width * sizeof *row);
    OutputFile o;
    begin_file(&o, path);
    put_png(&o, &picture, row);
    finish_file(&o);
    free(row);
    destroy_picture(&picture);
}

#else

int can_write_png(void)
{
    return 0;
}

void write_png(const char *path, const Snapshot *r, Field field, Slice slice, double largest)
{
    (void)r, (void)field, (void)slice, (void)largest;
    fail(EXIT_USAGE, "cannot write %s: built without libpng (Debian: apt install libpng-dev, build again)",
         path);
}

#endif
