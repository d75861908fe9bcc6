#include "mask.h"

#include "allocate.h"
#include "fail.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#ifdef HAVE_PNG
#include <png.h>
#endif

void destroy_mask(Mask *mask)
{
    free(mask->dark);
    mask->dark = NULL;
}

#ifdef HAVE_PNG

enum { SIGNATURE_SIZE = 8, CHUNK_LIMIT = 1 << 20, RGBA = 4 };

int can_read_png(void)
{
    return 1;
}

NORETURN static void refuse(const char *path, const char *reason)
{
    fail(EXIT_USAGE, "can't read the drawing \"%s\": %s", path, reason);
}

/** Where libpng ends when it can't go on; it must not return. */
NORETURN static void on_error(png_structp png, png_const_charp message)
{
    refuse(png_get_error_ptr(png), message);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

/** Opens a regular file that begins as PNG files do. */
static FILE *open_png(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        refuse(path, strerror(errno));
    if (!S_ISREG(status.st_mode))
        refuse(path, "it is no regular file");
    FILE *file = fopen(path, "rb");
    if (!file)
        refuse(path, strerror(errno));
    unsigned char signature[SIGNATURE_SIZE];
    if (fread(signature, 1, SIGNATURE_SIZE, file) != SIGNATURE_SIZE ||
        png_sig_cmp(signature, 0, SIGNATURE_SIZE) != 0)
        refuse(path, "it is no PNG file");
    return file;
}

/** Reads what stands before the pixels, and asks for 8-bit RGBA whatever the file holds. */
static Mask read_header(png_structp png, png_infop info, const char *path)
{
    char reason[128];
    png_read_info(png, info);
    const png_uint_32 width = png_get_image_width(png, info), height = png_get_image_height(png, info);
    snprintf(reason, sizeof reason, "it has %lux%lu pixels, at most %dx%d are taken", (unsigned long)width,
             (unsigned long)height, MASK_LIMIT, MASK_LIMIT);
    if (width > MASK_LIMIT || height > MASK_LIMIT)
        refuse(path, reason);
    if (png_get_bit_depth(png, info) == 16)
        refuse(path, "it has 16 bits a channel, at most 8 are taken");
    if (png_get_interlace_type(png, info) != PNG_INTERLACE_NONE)
        refuse(path, "it is interlaced: save it without");
    png_set_expand(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    png_read_update_info(png, info);
    const Mask mask = {(int)width, (int)height, allocate((size_t)width * height)};
    return mask;
}

/** Luma of ITU-R BT.601 on white paper, against middle grey. */
static int is_dark(const unsigned char *pixel)
{
    const int luma = 299 * pixel[0] + 587 * pixel[1] + 114 * pixel[2];
    return luma * pixel[3] + 255000 * (255 - pixel[3]) < 127500 * 255;
}

static void read_pixels(png_structp png, Mask *mask)
{
    unsigned char *row = allocate((size_t)mask->width * RGBA);
    for (int y = mask->height - 1; y >= 0; y--) {
        png_read_row(png, row, NULL);
        for (int x = 0; x < mask->width; x++)
            mask->dark[(size_t)y * mask->width + x] = (unsigned char)is_dark(row + RGBA * x);
    }
    free(row);
}

Mask read_mask(const char *path)
{
    FILE *file = open_png(path);
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, (png_voidp)path, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info)
        fail(EXIT_MACHINE, "not enough memory to read %s", path);
    png_init_io(png, file);
    png_set_sig_bytes(png, SIGNATURE_SIZE);
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff); // read_header has the last word, and a better one
    png_set_chunk_malloc_max(png, CHUNK_LIMIT);
    Mask mask = read_header(png, info, path);
    read_pixels(png, &mask);
    png_read_end(png, NULL);
    png_destroy_read_struct(&png, &info, NULL);
    fclose(file);
    return mask;
}

#else

int can_read_png(void)
{
    return 0;
}

Mask read_mask(const char *path)
{
    fail(EXIT_USAGE, "can't read %s: built without libpng (Debian: apt install libpng-dev, build again)",
         path);
}

#endif
