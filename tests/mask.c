#include "mask.h"

#include "check.h"
#include "png_chunks.h"
#include "refused.h"

#include <png.h>
#include <sys/stat.h>

static char path[] = "mask.XXXXXX";

__attribute__((constructor)) static void make_path(void)
{
    close(mkstemp(path));
}

__attribute__((destructor)) static void remove_path(void)
{
    remove(path);
}

/** The kind of PNG to write; rows of the pixels lie one after another, the top one first. */
typedef struct {
    int width, height, depth, colour, interlace;
    const unsigned char *pixels;
    size_t row;
} Image;

static void write_image(Image image)
{
    FILE *file = fopen(path, "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    const png_color palette[2] = {
        {255, 255, 255},
        {9,   9,   9  }
    };
    png_init_io(png, file);
    png_set_IHDR(png, info, image.width, image.height, image.depth, image.colour, image.interlace, 0, 0);
    if (image.colour == PNG_COLOR_TYPE_PALETTE)
        png_set_PLTE(png, info, palette, 2);
    png_write_info(png, info);
    const int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; pass++)
        for (int y = 0; y < image.height; y++)
            png_write_row(png, image.pixels + y * image.row);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    fclose(file);
}

static void write_bytes(const unsigned char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    fwrite(bytes, 1, count, file);
    fclose(file);
}

static size_t read_bytes(unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    const size_t count = fread(bytes, 1, size, file);
    fclose(file);
    return count;
}

/** Reads the drawing; `text` holds a letter a cell, from the top: # dark, . light. */
static int shows(const char *text)
{
    Mask mask = read_mask(path);
    int good = strlen(text) == (size_t)mask.width * mask.height;
    for (int y = 0; good && y < mask.height; y++)
        for (int x = 0; x < mask.width; x++)
            good &= mask.dark[y * mask.width + x] == (text[(mask.height - 1 - y) * mask.width + x] == '#');
    destroy_mask(&mask);
    return good;
}

static void read_it(void)
{
    Mask mask = read_mask(path);
    destroy_mask(&mask);
}

TEST(grey_is_dark_below_the_middle)
{
    const unsigned char pixels[6] = {0, 255, 127, 128, 200, 10};
    write_image((Image){3, 2, 8, PNG_COLOR_TYPE_GRAY, 0, pixels, 3});
    EXPECT(shows("#.#..#"));
}

TEST(colours_count_by_their_lightness)
{
    const unsigned char pixels[12] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255};
    write_image((Image){4, 1, 8, PNG_COLOR_TYPE_RGB, 0, pixels, 12});
    EXPECT(shows("#.#."));
}

TEST(what_is_transparent_is_paper)
{
    const unsigned char pixels[12] = {0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 100};
    write_image((Image){3, 1, 8, PNG_COLOR_TYPE_RGB_ALPHA, 0, pixels, 12});
    EXPECT(shows("#.."));
    const unsigned char grey[6] = {0, 255, 0, 0, 0, 200};
    write_image((Image){3, 1, 8, PNG_COLOR_TYPE_GRAY_ALPHA, 0, grey, 6});
    EXPECT(shows("#.#"));
}

TEST(bits_and_palettes_are_read)
{
    const unsigned char bits[2] = {0x58, 0xa0}; // 01011, 10100
    write_image((Image){5, 2, 1, PNG_COLOR_TYPE_GRAY, 0, bits, 1});
    EXPECT(shows("#.#...#.##"));
    write_image((Image){5, 2, 1, PNG_COLOR_TYPE_PALETTE, 0, bits, 1});
    EXPECT(shows(".#.###.#.."));
}

TEST(sixteen_bits_are_refused)
{
    const unsigned char pixels[8] = {0};
    write_image((Image){2, 2, 16, PNG_COLOR_TYPE_GRAY, 0, pixels, 4});
    EXPECT(refuses(read_it, "16 bits a channel"));
}

TEST(interlacing_is_refused)
{
    const unsigned char pixels[81] = {0};
    write_image((Image){9, 9, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_ADAM7, pixels, 9});
    EXPECT(refuses(read_it, "interlaced"));
}

static void read_nothing(void)
{
    read_mask("no such file");
}

static void read_folder(void)
{
    read_mask(".");
}

static void read_device(void)
{
    read_mask("/dev/zero");
}

static void read_pipe(void)
{
    remove(path);
    mkfifo(path, 0600);
    read_it();
}

TEST(what_is_no_png_file_is_refused)
{
    EXPECT(refuses(read_nothing, "No such file"));
    EXPECT(refuses(read_folder, "no regular file"));
    EXPECT(refuses(read_device, "no regular file"));
    EXPECT(refuses(read_pipe, "no regular file"));
    remove(path);
    write_bytes((const unsigned char *)"", 0);
    EXPECT(refuses(read_it, "no PNG file"));
    write_bytes((const unsigned char *)"P5 2 2 255 ....", 15);
    EXPECT(refuses(read_it, "no PNG file"));
}

enum { SIZE = 4096, IHDR = 8, IHDR_END = 33 };

static unsigned char good[SIZE];
static size_t good_size;

static void make_good(void)
{
    unsigned char pixels[20 * 12];
    for (int n = 0; n < 20 * 12; n++)
        pixels[n] = (unsigned char)(37 * n);
    write_image((Image){20, 12, 8, PNG_COLOR_TYPE_GRAY, 0, pixels, 20});
    good_size = read_bytes(good, sizeof good);
}

/** The good file with another size in its header, the checksum right. */
static void write_size(unsigned width, unsigned height)
{
    unsigned char bytes[SIZE];
    memcpy(bytes, good, good_size);
    put_number(bytes + IHDR + 8, width);
    put_number(bytes + IHDR + 12, height);
    put_number(bytes + IHDR_END - 4, crc(bytes + IHDR + 4, 17));
    write_bytes(bytes, good_size);
}

TEST(lying_headers_are_refused)
{
    make_good();
    write_size(20, 12);
    read_it();
    write_size(16385, 12);
    EXPECT(refuses(read_it, "16385x12 pixels, at most 16384x16384"));
    write_size(20, 0x7fffffff);
    EXPECT(refuses(read_it, "20x2147483647 pixels"));
    write_size(0x80000000u, 12);
    EXPECT(refuses(read_it, "can't read the drawing"));
    write_size(0, 12);
    EXPECT(refuses(read_it, "can't read the drawing"));
    write_size(16384, 16384); // 300 bytes that promise 268 million pixels
    EXPECT(refuses(read_it, "can't read the drawing"));
}

/** The good file with a chunk of `size` bytes put in after the header. */
static void write_chunk(const char *name, const unsigned char *data, size_t size)
{
    static unsigned char bytes[SIZE + (1 << 21)];
    memcpy(bytes, good, IHDR_END);
    put_number(bytes + IHDR_END, (unsigned)size);
    memcpy(bytes + IHDR_END + 4, name, 4);
    memcpy(bytes + IHDR_END + 8, data, size);
    put_number(bytes + IHDR_END + 8 + size, crc(bytes + IHDR_END + 4, size + 4));
    memcpy(bytes + IHDR_END + 12 + size, good + IHDR_END, good_size - IHDR_END);
    write_bytes(bytes, good_size + size + 12);
}

TEST(odd_chunks_do_no_harm)
{
    static const unsigned char zeros[2 << 20];
    const char *const names[] = {"tEXt", "zTXt", "iTXt", "iCCP", "gAMA", "cHRM", "sPLT",
                                 "tIME", "pHYs", "hIST", "tRNS", "abCd", "eXIf"};
    char text[4096];
    make_good();
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (size_t size = 0; size <= 64; size++) {
            write_chunk(names[n], zeros, size);
            const int code = exit_code_of(read_it, text, sizeof text);
            EXPECT(code == EXIT_GOOD || code == EXIT_USAGE);
        }
    write_chunk("ABCD", zeros, 9);
    EXPECT(refuses(read_it, "can't read the drawing"));
    write_chunk("tEXt", zeros, (2 << 20) - SIZE);
    EXPECT(exit_code_of(read_it, text, sizeof text) != -1);
}

TEST(truncated_files_are_refused)
{
    make_good();
    for (size_t size = 0; size < good_size; size++) {
        write_bytes(good, size);
        EXPECT(refuses(read_it, size < 8 ? "no PNG file" : "can't read the drawing"));
    }
}

TEST(damaged_files_are_refused_or_read)
{
    char text[4096];
    make_good();
    for (size_t n = 0; n < good_size; n++)
        for (int bit = 0; bit < 8; bit += 3) {
            unsigned char bytes[SIZE];
            memcpy(bytes, good, good_size);
            bytes[n] ^= (unsigned char)(1 << bit);
            write_bytes(bytes, good_size);
            EXPECT(exit_code_of(read_it, text, sizeof text) == EXIT_USAGE);
        }
}

TEST(half_transparent_black_is_middle_grey)
{
    const unsigned char pixels[8] = {0, 0, 0, 127, 0, 0, 0, 128};
    write_image((Image){2, 1, 8, PNG_COLOR_TYPE_RGB_ALPHA, 0, pixels, 8});
    EXPECT(shows(".#"));
}
