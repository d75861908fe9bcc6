/**
 * @file traffic_picture.c
 * Pictures of requests: whatever a warp asks for, the file is well-formed and shows as much as was counted.
 */
#include "traffic/report.h"

#include "check.h"
#include "occurrences.h"

#include <stdlib.h>
#include <unistd.h>

static const char start[] = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"690\" ";
static char text[1 << 20]; // of the picture that was drawn last

static void draw(const LineSums *lines, int count)
{
    char path[64];
    snprintf(path, sizeof path, "traffic_picture.%d.svg", (int)getpid());
    draw_requests(path, lines, count);
    FILE *file = fopen(path, "r");
    const size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[length] = '\0';
    if (file)
        fclose(file);
    remove(path);
}

/** A line whose lanes access `stride` bytes from one to the next. */
static LineSums line_of(Access access, unsigned size, uintptr_t begin, uintptr_t stride)
{
    LineSums line = {.kernel = "step", .file = "stage/solver.cu", .line = 7, .text = "f[i] = from[cell];"};
    line.access = access;
    line.size = size;
    Request *request = &line.sample.request;
    request->lanes = 0xffffffff;
    for (int lane = 0; lane < WARP; lane++)
        request->address[lane] = begin + (uintptr_t)lane * stride;
    return line;
}

/** Counts a sample as the recorder does. */
static void count(LineSums *line)
{
    const Request *request = &line->sample.request;
    line->sample.sectors =
        is_shared(line->access) ? wavefronts_of(request, line->size) : sectors_of(request, line->size).count;
    line->sums.requests = 1;
    line->sums.sectors = (uint64_t)line->sample.sectors;
}

/* ---- what a picture shows ---- */

/** Whether all tags end, in order, all quotes are closed, and every & begins a character's number. */
static int is_well_formed(const char *c)
{
    char open[16][16];
    int depth = 0;
    for (; *c; c++) {
        if (*c == '&' &&
            (c[1] != '#' || strspn(c + 2, "0123456789") == 0 || c[2 + strspn(c + 2, "0123456789")] != ';'))
            return 0;
        if (*c == '>')
            return 0;
        if (*c != '<')
            continue;
        const int ends = c[1] == '/';
        char name[16];
        if (sscanf(c + 1 + ends, "%15[a-z]", name) != 1 || depth == 16)
            return 0;
        int quotes = 0;
        for (c++; *c && (*c != '>' || quotes % 2); c++)
            quotes += *c == '"';
        if (*c != '>' || quotes % 2)
            return 0;
        if (ends && (depth == 0 || strcmp(open[--depth], name) != 0))
            return 0;
        if (!ends && c[-1] != '/')
            strcpy(open[depth++], name);
    }
    return depth == 0;
}

/** The widths of all boxes of a kind, in bytes; their number goes to `boxes`. */
static double bytes_of(const char *kind, int *boxes)
{
    char tag[64];
    double sum = 0.0;
    snprintf(tag, sizeof tag, "<rect class=\"%s\" ", kind);
    *boxes = 0;
    for (const char *box = text; (box = strstr(box, tag)) != NULL; box++, ++*boxes) {
        double x = NAN, y = NAN, width = NAN;
        sscanf(box + strlen(tag), "x=\"%lf\" y=\"%lf\" width=\"%lf\"", &x, &y, &width);
        EXPECT(x >= 60 && x + width <= 690 && y >= 60 && width > 0.0);
        sum += width / 4.75;
    }
    return sum;
}

/** Draws a line, and compares the picture with what the request is. */
static void check_picture(LineSums line)
{
    count(&line);
    draw(&line, 1);
    int used = 0, moved = 0, lanes = 0, bytes = 0;
    if (is_shared(line.access)) {
        Word word[MOST_WORDS];
        moved = words_of(&line.sample.request, line.size, word);
        for (int n = 0; n < moved; n++)
            bytes += __builtin_popcount(word[n].bytes);
    } else {
        const Units sectors = sectors_of(&line.sample.request, line.size);
        moved = sectors.count;
        for (int n = 0; n < moved; n++)
            bytes += __builtin_popcount(sectors.bytes[n]);
    }
    const int asking = __builtin_popcount(line.sample.request.lanes);
    EXPECT(strncmp(text, start, strlen(start)) == 0 && is_well_formed(text));
    EXPECT(!strstr(text, "nan") && !strstr(text, "inf"));
    EXPECT_NEAR(bytes_of("used", &used), bytes, 0.1);
    bytes_of("moved", &used);
    EXPECT(used == moved);
    bytes_of("lane", &lanes);
    EXPECT(lanes == asking && occurrences(text, "<path ") == asking);
}

TEST(neighbouring_words_are_four_sectors)
{
    check_picture(line_of(LOAD, 4, 4096, 4));
    EXPECT(strstr(text, "kernel step, stage/solver.cu:7<") && strstr(text, "f[i] = from[cell];"));
    EXPECT(strstr(text, "load of 4 bytes by 32 lanes: 4 sectors; used bytes: 128 of 128 (100.0%)"));
    EXPECT(!strstr(text, "+128 B"));
}

TEST(shifted_words_are_five_sectors_in_two_rows)
{
    check_picture(line_of(STORE, 4, 4100, 4));
    EXPECT(strstr(text, "store of 4 bytes by 32 lanes: 5 sectors; used bytes: 128 of 160 (80.0%)"));
    EXPECT(strstr(text, "+128 B<") && !strstr(text, "+256 B<") && !strstr(text, "left out"));
}

TEST(structures_are_a_sector_for_each_lane)
{
    check_picture(line_of(LOAD, 4, 4096, 36));
    EXPECT(strstr(text, ": 32 sectors; used bytes: 128 of 1024 (12.5%)"));
}

TEST(lanes_that_take_no_part_are_left_open)
{
    LineSums line = line_of(LOAD, 4, 4096, 4);
    line.sample.request.lanes = 1u << 9;
    check_picture(line);
    EXPECT(strstr(text, "by 1 lane: 1 sector; used bytes: 4 of 32 (12.5%)"));
}

TEST(one_word_for_all_lanes_is_coloured_once)
{
    check_picture(line_of(LOAD, 4, 4096, 0));
    EXPECT(strstr(text, "by 32 lanes: 1 sector; used bytes: 4 of 32 (12.5%)"));
}

TEST(gaps_are_left_out_and_marked)
{
    check_picture(line_of(LOAD, 4, 4096, 1 << 20));
    EXPECT(occurrences(text, "<path ") == 32);
    EXPECT(occurrences(text, ">1048448 bytes left out, ") == 31);
    EXPECT(strstr(text, ">+32505856 B<"));
    check_picture(line_of(LOAD, 4, 4096, 128));
    EXPECT(!strstr(text, "left out"));
}

TEST(lanes_in_another_order_give_the_same_rows)
{
    check_picture(line_of(LOAD, 4, 8192, (uintptr_t)-4));
    EXPECT(strstr(text, ">+0 B<") && strstr(text, ">+128 B<") && !strstr(text, ">+256 B<"));
}

TEST(words_of_one_bank_are_a_row_each)
{
    check_picture(line_of(SHARED_LOAD, 4, 0, 4));
    EXPECT(strstr(text, "shared load of 4 bytes by 32 lanes: 1 wavefront<") && !strstr(text, "wavefront 2<"));
    check_picture(line_of(SHARED_STORE, 4, 0, 128));
    EXPECT(strstr(text, "shared store of 4 bytes by 32 lanes: 32 wavefronts<"));
    EXPECT(strstr(text, ">wavefront 32<") && !strstr(text, "left out"));
    check_picture(line_of(SHARED_LOAD, 8, 0, 8));
    EXPECT(strstr(text, ": 2 wavefronts<"));
    check_picture(line_of(SHARED_LOAD, 4, 64, 0));
    EXPECT(strstr(text, ": 1 wavefront<"));
}

TEST(any_text_of_a_line_is_well_formed)
{
    LineSums line = line_of(LOAD, 4, 4096, 4);
    snprintf(line.text, sizeof line.text, "a[i] <= b && c->d ? \"e\" : '%c'; // \t\x01\xc3\xa4\xff", '&');
    check_picture(line);
    EXPECT(strstr(text, "a[i] &#60;= b &#38;&#38; c-&#62;d ?"));
    memset(line.text, '<', sizeof line.text - 1);
    check_picture(line);
}

TEST(lines_are_drawn_below_each_other)
{
    LineSums lines[] = {line_of(LOAD, 8, 4096, 16), line_of(SHARED_STORE, 8, 0, 8)};
    count(&lines[0]);
    count(&lines[1]);
    draw(lines, 2);
    EXPECT(is_well_formed(text) && occurrences(text, ">kernel step, ") == 2);
    EXPECT(strstr(text, ": 16 sectors; ") < strstr(text, ": 2 wavefronts<"));
    int boxes;
    bytes_of("moved", &boxes);
    EXPECT(boxes == 16 + 64);
}

/* ---- anything ---- */

static unsigned random_number(unsigned below)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

/** Addresses that need not be aligned, within some bytes of each other. */
static LineSums random_line(Access access)
{
    static const unsigned sizes[] = {1, 2, 4, 8, 16}, within[] = {1, 40, 300, 5000, 1 << 30};
    const unsigned span = within[random_number(5)];
    LineSums line = line_of(access, sizes[random_number(5)], 0, 0);
    for (int lane = 0; lane < WARP; lane++)
        line.sample.request.address[lane] = 4096 + random_number(span);
    line.sample.request.lanes =
        (random_number(1 << 16) << 16 | random_number(1 << 16)) | 1u << random_number(32);
    return line;
}

TEST(random_requests_are_drawn)
{
    for (int n = 0; n < 400; n++)
        check_picture(random_line((Access)(n % 4)));
}

TEST(a_wavefront_brings_one_word_of_a_bank)
{
    for (int n = 0; n < 400; n++) {
        const LineSums line = random_line(SHARED_LOAD);
        Word word[MOST_WORDS];
        char brings[MOST_WORDS][BANKS] = {{0}};
        const int words = words_of(&line.sample.request, line.size, word);
        for (int k = 0; k < words; k++) {
            EXPECT(word[k].wavefront < wavefronts_of(&line.sample.request, line.size));
            EXPECT(!brings[word[k].wavefront][word[k].number % BANKS]++);
        }
    }
}
