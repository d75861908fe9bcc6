#include "flow/bodies.h"

#include "check.h"
#include "png_chunks.h"
#include "refused.h"

#include <png.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <zlib.h>

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

/** Writes an image whose palette, if it has one, has two colours; alpha may be NULL. */
static void write_transparent(Image image, const unsigned char *alpha)
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
    if (alpha)
        png_set_tRNS(png, info, alpha, 2, NULL);
    png_set_check_for_invalid_index(png, 0);
    png_write_info(png, info);
    const int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; pass++)
        for (int y = 0; y < image.height; y++)
            png_write_row(png, image.pixels + y * image.row);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    fclose(file);
}

static void write_image(Image image)
{
    write_transparent(image, NULL);
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

/** Reads the mask; `text` holds a letter a cell, from the top: # dark, . light. */
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

TEST(transparent_colours_of_a_palette_are_paper)
{
    const unsigned char bits[1] = {0x40}, alpha[2] = {255, 0};
    write_image((Image){2, 1, 1, PNG_COLOR_TYPE_PALETTE, 0, bits, 1});
    EXPECT(shows(".#"));
    write_transparent((Image){2, 1, 1, PNG_COLOR_TYPE_PALETTE, 0, bits, 1}, alpha);
    EXPECT(shows(".."));
}

TEST(colours_that_the_palette_lacks_are_refused)
{
    const unsigned char bits[1] = {0x47}; // 1, 0, 1, and 3 behind the row's end
    write_image((Image){3, 1, 2, PNG_COLOR_TYPE_PALETTE, 0, bits, 1});
    EXPECT(shows("#.#"));
    write_image((Image){4, 1, 2, PNG_COLOR_TYPE_PALETTE, 0, bits, 1});
    EXPECT(refuses(read_it, "colour 3, the palette 0 to 1"));
    const unsigned char bytes[2] = {0, 2};
    write_image((Image){2, 1, 8, PNG_COLOR_TYPE_PALETTE, 0, bytes, 2});
    EXPECT(refuses(read_it, "colour 2, the palette 0 to 1"));
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

enum { SIZE = 4096, IHDR = 8, IHDR_END = 33, IEND_SIZE = 12 };

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
    EXPECT(refuses(read_it, "can't read the mask"));
    write_size(0, 12);
    EXPECT(refuses(read_it, "can't read the mask"));
    write_size(16384, 16384); // 300 bytes that promise 268 million pixels
    EXPECT(refuses(read_it, "bytes are too few for 16384x16384 pixels"));
}

/** Adds a chunk to a file, with another length in its header than that of its data if the two differ. */
static void put_chunk(FILE *file, const char *name, const unsigned char *data, size_t size, size_t length)
{
    unsigned char number[4];
    put_number(number, (unsigned)length);
    fwrite(number, 1, 4, file);
    fwrite(name, 1, 4, file);
    fwrite(data, 1, size, file);
    put_number(number, (unsigned)crc32(crc32(0, (const Bytef *)name, 4), data, (uInt)size));
    fwrite(number, 1, 4, file);
}

/** The good file with a chunk, `count` times, put in after the header. */
static void write_chunks(int count, const char *name, const unsigned char *data, size_t size, size_t length)
{
    FILE *file = fopen(path, "wb");
    fwrite(good, 1, IHDR_END, file);
    for (int n = 0; n < count; n++)
        put_chunk(file, name, data, size, length);
    fwrite(good + IHDR_END, 1, good_size - IHDR_END, file);
    fclose(file);
}

static void write_chunk(const char *name, const unsigned char *data, size_t size)
{
    write_chunks(1, name, data, size, size);
}

TEST(odd_chunks_do_no_harm)
{
    static const unsigned char zeros[64];
    const char *const names[] = {"tEXt", "zTXt", "iTXt", "iCCP", "gAMA", "cHRM", "sPLT",
                                 "tIME", "pHYs", "hIST", "tRNS", "abCd", "eXIf"};
    char text[4096];
    make_good();
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (size_t size = 0; size <= 64; size++) {
            write_chunk(names[n], zeros, size);
            const int code = exit_code_of(read_it, text, sizeof text);
            EXPECT(code == EXIT_GOOD || (code == EXIT_USAGE && strcmp(names[n], "tRNS") == 0));
        }
    write_chunk("ABCD", zeros, 9);
    EXPECT(refuses(read_it, "can't read the mask"));
}

static long peak_kib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static long peak_before;

static void forbid_waste(void)
{
    const long taken = peak_kib() - peak_before;
    if (taken > 8 << 10) {
        fprintf(stderr, "took %ld KiB\n", taken);
        _exit(EXIT_CHECK);
    }
}

/** Reads the mask, in a child, and fails if that takes more than 8 MiB. */
static void read_modestly(void)
{
    peak_before = peak_kib();
    atexit(forbid_waste);
    read_it();
}

static int is_read_modestly(void)
{
    char text[4096];
    const int code = exit_code_of(read_modestly, text, sizeof text);
    if (code != EXIT_GOOD)
        printf("exit code %d: %s\n", code, text);
    return code == EXIT_GOOD;
}

TEST(chunks_longer_than_the_file_are_refused_at_no_cost)
{
    const unsigned char data[3] = {'k', 0, 0};
    const char *const names[] = {"tEXt", "zTXt", "iTXt", "iCCP", "sPLT", "eXIf", "hIST", "abCd"};
    make_good();
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        write_chunks(1, names[n], data, sizeof data, 0x7fffffff);
        EXPECT(refuses(read_modestly, "ends too early"));
    }
    write_chunks(1, "tEXt", data, sizeof data, 0x7fffffff);
    EXPECT(truncate(path, 1 << 30) == 0);
    EXPECT(refuses(read_modestly, "more data than its pixels need"));
}

/** Packs 16 MiB of zeros behind a prefix; returns the size of both. */
static size_t make_bomb(unsigned char *data, size_t size, const char *prefix, size_t prefix_size)
{
    static const unsigned char zeros[16 << 20];
    memcpy(data, prefix, prefix_size);
    uLongf packed = size - prefix_size;
    EXPECT(compress(data + prefix_size, &packed, zeros, sizeof zeros) == Z_OK);
    return prefix_size + packed;
}

TEST(chunks_that_say_nothing_of_pixels_are_skipped)
{
    static unsigned char data[12 << 20];
    make_good();
    write_chunk("zTXt", data, make_bomb(data, sizeof data, "k\0", 3));
    EXPECT(is_read_modestly());
    write_chunk("iCCP", data, make_bomb(data, sizeof data, "k\0", 3));
    EXPECT(is_read_modestly());
    write_chunk("iTXt", data, make_bomb(data, sizeof data, "k\0\1\0\0", 6));
    EXPECT(is_read_modestly());
    memcpy(data, "k\0\10", 4);
    write_chunks(300, "sPLT", data, 3 + 6 * 10000, 3 + 6 * 10000);
    EXPECT(is_read_modestly());
    write_chunk("tEXt", data, sizeof data);
    EXPECT(is_read_modestly());
    FILE *file = fopen(path, "wb");
    fwrite(good, 1, good_size - IEND_SIZE, file);
    put_chunk(file, "eXIf", data, sizeof data, sizeof data);
    fwrite(good + good_size - IEND_SIZE, 1, IEND_SIZE, file);
    fclose(file);
    EXPECT(is_read_modestly());
}

TEST(no_more_is_inflated_than_the_pixels_need)
{
    static unsigned char zeros[1 << 20], data[1 << 20];
    z_stream z = {.next_out = data, .avail_out = sizeof data, .next_in = zeros, .avail_in = sizeof zeros};
    EXPECT(deflateInit(&z, 9) == Z_OK);
    deflate(&z, Z_FULL_FLUSH);
    const size_t head = z.total_out, block = head - 2; // a block can stand any number of times, the head once
    for (size_t used = head; used + block <= sizeof data; used += block)
        memcpy(data + used, data + 2, block);
    make_good();
    FILE *file = fopen(path, "wb");
    fwrite(good, 1, IHDR_END, file);
    put_chunk(file, "IDAT", data, sizeof data, sizeof data);
    fclose(file);
    deflateEnd(&z);
    EXPECT(refuses(read_modestly, "more data than its pixels need"));
}

TEST(the_size_of_a_file_is_limited)
{
    make_good();
    write_bytes(good, good_size);
    EXPECT(truncate(path, (5L << 28) + 1) == 0);
    EXPECT(refuses(read_it, "1342177281 bytes, at most 1342177280"));
    static const unsigned char black[2048 * 2048];
    write_image((Image){2048, 2048, 8, PNG_COLOR_TYPE_GRAY, 0, black, 2048});
    struct stat status;
    EXPECT(stat(path, &status) == 0 && status.st_size < (long)sizeof black / 1000); // nearly as few as can be
    read_it();
}

TEST(damage_beside_the_pixels_is_refused)
{
    const unsigned char bits[1] = {0x40}, alpha[3] = {255, 0, 9};
    write_transparent((Image){2, 1, 1, PNG_COLOR_TYPE_PALETTE, 0, bits, 1}, alpha);
    good_size = read_bytes(good, sizeof good);
    size_t at = IHDR_END;
    while (memcmp(good + at + 4, "tRNS", 4) != 0)
        at++;
    good[at + 9] ^= 0x80;
    write_bytes(good, good_size);
    EXPECT(refuses(read_it, "tRNS: CRC error"));
    good[at + 9] ^= 0x80;
    FILE *file = fopen(path, "wb");
    fwrite(good, 1, at, file);
    put_chunk(file, "tRNS", alpha, 3, 3); // of a palette of two
    fwrite(good + at + 14, 1, good_size - at - 14, file);
    fclose(file);
    EXPECT(refuses(read_it, "tRNS: invalid"));
}

static int blocks_left;

/** Reads the mask when all memory but a few KiB is taken. */
static void read_with_little_memory(void)
{
    enum { MOST = 1 << 14, BLOCK = 256 };
    static void *block[MOST];
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_DATA, &none);
    int count = 0;
    while (count < MOST && (block[count] = malloc(BLOCK)))
        count++;
    if (count == MOST)
        _exit(SKIPPED);
    for (int n = 0; n < blocks_left && n < count; n++)
        free(block[count - 1 - n]);
    read_it();
}

TEST(lack_of_memory_is_the_fault_of_the_machine)
{
#ifdef __SANITIZE_ADDRESS__
    SKIP("the sanitizer has memory of its own");
#endif
    char text[4096];
    int code = EXIT_MACHINE;
    make_good();
    for (blocks_left = 0; blocks_left < 1000 && code == EXIT_MACHINE; blocks_left += 2) {
        write_bytes(good, good_size);
        code = exit_code_of(read_with_little_memory, text, sizeof text);
        if (code == SKIPPED)
            SKIP("memory can't be limited here");
    }
    EXPECT(code == EXIT_GOOD && blocks_left > 40);
    if (code != EXIT_GOOD)
        printf("%d blocks left, exit code %d: %s\n", blocks_left, code, text);
}

TEST(truncated_files_are_refused)
{
    make_good();
    for (size_t size = 0; size < good_size; size++) {
        write_bytes(good, size);
        EXPECT(refuses(read_it, size < 8 ? "no PNG file" : "can't read the mask"));
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
