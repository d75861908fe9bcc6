#include "flow/bodies.h"

#include "host/allocate.h"
#include "host/fail.h"

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

enum {
    SIGNATURE_SIZE = 8,
    FILE_LIMIT = 5 << 28,  // the largest mask without compression takes 4 << 28
    EXTRA_LIMIT = 1 << 26, // bytes of the file before the pixels, and behind them
    ROW_LIMIT = 2 << 16,   // bytes of the file in a row of pixels: twice the longest
    MOST_INFLATION = 1032, // deflate packs no more bytes into one
    RGBA = 4
};

/** The file as far as it is read. */
typedef struct {
    const char *path;
    FILE *file;
    size_t size; /**< of the whole file */
    size_t left; /**< that may be read until further notice */
} Source;

/** Which colours of a palette are dark; no colours: the picture has no palette. */
typedef struct {
    int count;
    unsigned char dark[PNG_MAX_PALETTE_LENGTH];
} Palette;

int can_read_png(void)
{
    return 1;
}

NORETURN static void refuse(const char *path, const char *reason)
{
    fail(EXIT_USAGE, "can't read the mask \"%s\": %s", path, reason);
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

static void *take_memory(png_structp png, png_alloc_size_t bytes)
{
    (void)png;
    return allocate(bytes);
}

static void return_memory(png_structp png, png_voidp memory)
{
    (void)png;
    free(memory);
}

static void read_bytes(png_structp png, png_bytep bytes, size_t count)
{
    Source *source = png_get_io_ptr(png);
    if (count > source->left)
        refuse(source->path, "it holds more data than its pixels need");
    source->left -= count;
    if (fread(bytes, 1, count, source->file) != count)
        refuse(source->path, "it ends too early");
}

static Source open_png(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        refuse(path, strerror(errno));
    if (!S_ISREG(status.st_mode))
        refuse(path, "it is no regular file");
    if (status.st_size > FILE_LIMIT)
        fail(EXIT_USAGE, "can't read the mask \"%s\": it has %lld bytes, at most %d are taken", path,
             (long long)status.st_size, FILE_LIMIT);
    const Source source = {path, fopen(path, "rb"), (size_t)status.st_size, EXTRA_LIMIT};
    if (!source.file)
        fail(exit_code_of_error(errno), "can't read the mask \"%s\": %s", path, strerror(errno));
    unsigned char signature[SIGNATURE_SIZE];
    if (fread(signature, 1, SIGNATURE_SIZE, source.file) != SIGNATURE_SIZE ||
        png_sig_cmp(signature, 0, SIGNATURE_SIZE) != 0)
        refuse(path, "it is no PNG file");
    return source;
}

/** A reader that takes what is damaged for an error, and skips what says nothing about pixels. */
static png_structp create_reader(Source *source)
{
    png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, (png_voidp)source->path, on_error,
                                               on_warning, NULL, take_memory, return_memory);
    if (!png)
        fail(EXIT_MACHINE, "the installed libpng is not the one that this program was built with, %s",
             PNG_LIBPNG_VER_STRING);
    png_set_read_fn(png, source, read_bytes);
    png_set_sig_bytes(png, SIGNATURE_SIZE);
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff); // check_header has the last word, and a better one
    png_set_chunk_malloc_max(png, 0);                 // what is skipped may be long
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_benign_errors(png, 0);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    return png;
}

static void check_header(png_structp png, png_infop info, const Source *source)
{
    const unsigned long width = png_get_image_width(png, info), height = png_get_image_height(png, info);
    if (width > MASK_LIMIT || height > MASK_LIMIT)
        fail(EXIT_USAGE, "can't read the mask \"%s\": it has %lux%lu pixels, at most %dx%d are taken",
             source->path, width, height, MASK_LIMIT, MASK_LIMIT);
    if (png_get_bit_depth(png, info) == 16)
        refuse(source->path, "it has 16 bits a channel, at most 8 are taken");
    if (png_get_interlace_type(png, info) != PNG_INTERLACE_NONE)
        refuse(source->path, "it is interlaced: save it without");
    if (png_get_rowbytes(png, info) * height > source->size * MOST_INFLATION)
        fail(EXIT_USAGE, "can't read the mask \"%s\": its %zu bytes are too few for %lux%lu pixels",
             source->path, source->size, width, height);
}

/** Luma of ITU-R BT.601 on white paper, against middle grey. */
static int is_dark(const unsigned char *pixel)
{
    const int luma = 299 * pixel[0] + 587 * pixel[1] + 114 * pixel[2];
    return luma * pixel[3] + 255000 * (255 - pixel[3]) < 127500 * 255;
}

static Palette find_palette(png_structp png, png_infop info)
{
    Palette palette = {0};
    png_colorp colour = NULL;
    png_bytep alpha = NULL;
    int alphas = 0;
    if (png_get_color_type(png, info) != PNG_COLOR_TYPE_PALETTE)
        return palette;
    png_get_PLTE(png, info, &colour, &palette.count);
    png_get_tRNS(png, info, &alpha, &alphas, NULL);
    for (int n = 0; n < palette.count; n++) {
        const unsigned char pixel[RGBA] = {colour[n].red, colour[n].green, colour[n].blue,
                                           n < alphas ? alpha[n] : 255};
        palette.dark[n] = (unsigned char)is_dark(pixel);
    }
    return palette;
}

/** Asks for a byte a pixel where there is a palette, for 8-bit RGBA elsewhere. */
static void set_pixel_format(png_structp png, png_infop info, const Palette *palette)
{
    if (palette->count) {
        png_set_packing(png);
    } else {
        png_set_expand(png);
        png_set_gray_to_rgb(png);
        png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    }
    png_read_update_info(png, info);
}

static int is_dark_index(int index, const Palette *palette, const char *path)
{
    if (index >= palette->count)
        fail(EXIT_USAGE, "can't read the mask \"%s\": a pixel has colour %d, the palette 0 to %d", path,
             index, palette->count - 1);
    return palette->dark[index];
}

static void read_pixels(png_structp png, Source *source, const Palette *palette, Mask *mask)
{
    unsigned char *row = allocate((size_t)mask->width * RGBA);
    for (int y = mask->height - 1; y >= 0; y--) {
        source->left = ROW_LIMIT; // the last one ends with all data of the picture, however much that is
        png_read_row(png, row, NULL);
        unsigned char *dark = mask->dark + (size_t)y * mask->width;
        for (int x = 0; x < mask->width; x++)
            dark[x] = (unsigned char)(palette->count ? is_dark_index(row[x], palette, source->path)
                                                     : is_dark(row + RGBA * x));
    }
    source->left = EXTRA_LIMIT;
    free(row);
}

Mask read_mask(const char *path)
{
    Source source = open_png(path);
    png_structp png = create_reader(&source);
    png_infop info = png_create_info_struct(png);
    png_read_info(png, info);
    check_header(png, info, &source);
    const Palette palette = find_palette(png, info);
    set_pixel_format(png, info, &palette);
    Mask mask = {(int)png_get_image_width(png, info), (int)png_get_image_height(png, info), NULL};
    mask.dark = allocate((size_t)mask.width * mask.height);
    read_pixels(png, &source, &palette, &mask);
    png_read_end(png, NULL);
    png_destroy_read_struct(&png, &info, NULL);
    fclose(source.file);
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
