#include "traffic/report.h"

#include "host/allocate.h"

#include <stdlib.h>
#include <string.h>

/** Pixels. A row, of four sectors or of one word of each bank, begins at LEFT. */
enum { WIDTH = 690, LEFT = 66, LANES = 86, FIRST_ROW = 142, BOX = 18, PITCH = 32, GAP = 18, BELOW = 36 };
enum { ROW_BYTES = BANKS * BANK_BYTES, CODE_LENGTH = 90 };
static const double byte_width = 4.75, between_sectors = 4.0;

static const char style[] =
    "<style>\n"
    "svg { font: 13px sans-serif; fill: #222 } .code { font-family: monospace } .small { font-size: 11px }\n"
    ".tiny { font-size: 9px } .mid { text-anchor: middle } .right { text-anchor: end }\n"
    ".light { fill: #fff } .dark { fill: #111 } .page { fill: #fff } path, .frame { fill: none }\n"
    ".idle { fill: #fff; stroke: #bbb; stroke-dasharray: 2 2 } .moved { fill: #dcdcdc }\n"
    ".frame { stroke: #666 } .lane, .used { stroke: #fff; stroke-width: 0.6 }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "svg { fill: #ddd } .page { fill: #17191c } .idle { fill: #17191c; stroke: #666 } .moved { fill: #3c4147 "
    "}\n"
    ".frame { stroke: #aaa } .lane, .used { stroke: #17191c } }\n"
    "</style>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n";

/** A sector, or a word of shared memory, and where it is drawn. */
typedef struct {
    uintptr_t address;
    uint32_t used;   // a bit for each byte
    uint32_t lanes;  // that are served together
    int row, column; // the column is that of its first byte
} Piece;

/** What is drawn of a request. */
typedef struct {
    const LineSums *line;
    const Request *request;
    unsigned bytes; // of a piece
    int count, rows;
    Piece piece[MOST_WORDS];
    uintptr_t address[MOST_WORDS], gap[MOST_WORDS]; // of each row, and before it; 0 in shared memory
    double top, y[MOST_WORDS];                      // of each row
} Panel;

static int by_address(const void *a, const void *b)
{
    const Piece *left = a, *right = b;
    return left->address < right->address ? -1 : left->address > right->address;
}

/** Rows as addresses follow each other. */
static void place_sectors(Panel *p)
{
    p->bytes = SECTOR;
    const Units sectors = sectors_of(p->request, p->line->size);
    for (int n = 0; n < sectors.count; n++)
        p->piece[n] = (Piece){sectors.number[n] * SECTOR, sectors.bytes[n], p->request->lanes, 0,
                              (int)(sectors.number[n] * SECTOR % ROW_BYTES)};
    qsort(p->piece, (size_t)sectors.count, sizeof *p->piece, by_address);
    for (p->count = 0; p->count < sectors.count; p->count++) {
        Piece *piece = &p->piece[p->count];
        const uintptr_t begin = piece->address - (uintptr_t)piece->column;
        if (p->rows == 0 || begin != p->address[p->rows - 1])
            p->address[p->rows++] = begin;
        piece->row = p->rows - 1;
    }
}

/** A column for each bank, a row for each wavefront. */
static void place_words(Panel *p)
{
    p->bytes = BANK_BYTES;
    Word word[MOST_WORDS];
    p->count = words_of(p->request, p->line->size, word);
    for (int n = 0; n < p->count; n++) {
        p->piece[n] = (Piece){word[n].number * BANK_BYTES, word[n].bytes, word[n].lanes, word[n].wavefront,
                              (int)(word[n].number % BANKS * BANK_BYTES)};
        if (p->rows <= word[n].wavefront)
            p->rows = word[n].wavefront + 1;
    }
}

/** Where the rows of a panel are that begins at y. */
static Panel make_panel(const LineSums *line, double y)
{
    Panel p = {.line = line, .request = &line->sample.request, .top = y};
    (is_shared(line->access) ? place_words : place_sectors)(&p);
    for (int row = 0; row < p.rows; row++) {
        p.gap[row] = row > 0 && p.address[row] > 0 ? p.address[row] - p.address[row - 1] - ROW_BYTES : 0;
        p.y[row] = row > 0 ? p.y[row - 1] + PITCH + (p.gap[row] > 0 ? GAP : 0) : y + FIRST_ROW;
    }
    return p;
}

static double x_of(int column)
{
    return LEFT + column * byte_width + column / SECTOR * between_sectors;
}

/** The first lane that uses a byte; -1: none does. */
static int lane_at(const Panel *p, uint32_t lanes, uintptr_t byte)
{
    for (int lane = 0; lane < WARP; lane++)
        if (lanes >> lane & 1 && byte - p->request->address[lane] < p->line->size)
            return lane;
    return -1;
}

/** Blue, by way of green, to orange: apart also for colour-blind readers, on light and dark pages. */
static unsigned colour_of(int lane)
{
    static const int colour[3][3] = {
        {33,  102, 172},
        {53,  166, 150},
        {232, 150, 20 }
    };
    const int half = lane / (WARP / 2), part = lane % (WARP / 2), whole = WARP / 2 - 1;
    unsigned rgb = 0;
    for (int n = 0; n < 3; n++)
        rgb = rgb << 8 | (unsigned)((colour[half][n] * (whole - part) + colour[half + 1][n] * part) / whole);
    return rgb;
}

/** What is not ASCII becomes a blank: the file is well-formed whatever the source holds. */
static void print_escaped(OutputFile *file, const char *text)
{
    for (; *text; text++)
        print(file, strchr("<>&", *text) ? "&#%d;" : "%c", *text >= ' ' && *text <= '~' ? *text : ' ');
}

static void print_count(OutputFile *file, int count, const char *name)
{
    print(file, "%d %s%s", count, name, count == 1 ? "" : "s");
}

static void draw_words(OutputFile *file, const Panel *p)
{
    const LineSums *line = p->line;
    const char *const cost = is_shared(line->access) ? "wavefront" : "sector";
    const size_t length = strlen(line->text);
    int used = 0;
    for (int n = 0; n < p->count; n++)
        used += __builtin_popcount(p->piece[n].used);
    print(file, "<text x=\"10\" y=\"%g\" font-weight=\"bold\">kernel %s, ", p->top + 16, line->kernel);
    print_escaped(file, line->file);
    print(file, ":%d</text>\n<text x=\"10\" y=\"%g\" class=\"code\" font-size=\"%.1f\">", line->line,
          p->top + 35, length > CODE_LENGTH ? 12.0 * CODE_LENGTH / (double)length : 12.0);
    print_escaped(file, line->text);
    print(file, "</text>\n<text x=\"10\" y=\"%g\">%s of ", p->top + 54, access_name(line->access));
    print_count(file, (int)line->size, "byte");
    print(file, " by ");
    print_count(file, __builtin_popcount(p->request->lanes), "lane");
    print(file, ": ");
    print_count(file, line->sample.sectors, cost);
    if (!is_shared(line->access))
        print(file, "; used bytes: %d of %d (%.1f%%)", used, p->count * SECTOR,
              100.0 * used / (p->count * SECTOR));
    print(file, "</text>\n<text x=\"10\" y=\"%g\" class=\"small\">", p->top + 71);
    print(file, "the first request with most %ss%s; ", cost,
          line->sample.is_in_the_middle ? " in the grid's middle block" : "");
    print(file, "the line's %llu requests take %.2f on average</text>\n",
          (unsigned long long)line->sums.requests, (double)line->sums.sectors / (double)line->sums.requests);
}

static void draw_box(OutputFile *file, const char *kind, double x, double y, unsigned bytes)
{
    print(file, "<rect class=\"%s\" x=\"%.2f\" y=\"%g\" width=\"%.2f\" height=\"%d\"/>\n", kind, x, y,
          bytes * byte_width, BOX);
}

/** Bytes in the lane's colour, with its number where that fits. */
static void draw_lane(OutputFile *file, const char *kind, int lane, double x, double y, unsigned bytes)
{
    const double size = bytes > 2 ? 10.0 : 7.5;
    print(file, "<g fill=\"#%06x\">", colour_of(lane));
    draw_box(file, kind, x, y, bytes);
    print(file, "</g>\n");
    if (bytes > 1)
        print(file, "<text x=\"%.2f\" y=\"%g\" class=\"%s\" font-size=\"%g\">%d</text>\n",
              x + bytes * byte_width / 2, y + BOX / 2 + 0.36 * size, lane < 12 ? "light mid" : "dark mid",
              size, lane);
}

static void draw_link(OutputFile *file, const Panel *p, const Piece *piece, int lane)
{
    const uintptr_t first = p->request->address[lane] - piece->address, end = first + p->line->size;
    if (!(piece->lanes >> lane & 1) || first >= p->bytes)
        return;
    const double from = x_of(BANK_BYTES * lane) + BANK_BYTES * byte_width / 2, y = p->y[piece->row],
                 to = x_of(piece->column) +
                      (double)(first + (end < p->bytes ? end : p->bytes)) / 2 * byte_width,
                 begin = p->top + LANES + BOX, middle = (begin + y) / 2;
    print(file, "<path d=\"M%.2f %gC%.2f %g %.2f %g %.2f %g\" stroke=\"#%06x\" opacity=\"%g\"/>\n", from,
          begin, from, middle, to, middle, to, y, colour_of(lane), p->rows > 2 ? 0.4 : 0.8);
}

static void draw_lanes(OutputFile *file, const Panel *p)
{
    for (int n = 0; n < p->count * WARP; n++)
        draw_link(file, p, &p->piece[n / WARP], n % WARP);
    print(file, "<text x=\"%d\" y=\"%g\" class=\"small right\">lane</text>\n", LEFT - 6, p->top + LANES + 13);
    for (int lane = 0; lane < WARP; lane++)
        if (p->request->lanes >> lane & 1)
            draw_lane(file, "lane", lane, x_of(BANK_BYTES * lane), p->top + LANES, BANK_BYTES);
        else
            draw_box(file, "idle", x_of(BANK_BYTES * lane), p->top + LANES, BANK_BYTES);
}

static void draw_row(OutputFile *file, const Panel *p, int row)
{
    for (int column = 0; column < ROW_BYTES; column += (int)p->bytes)
        draw_box(file, "idle", x_of(column), p->y[row], p->bytes);
    if (is_shared(p->line->access))
        print(file, "<text x=\"%d\" y=\"%g\" class=\"tiny right\">wavefront %d</text>\n", LEFT - 6,
              p->y[row] + 13, row + 1);
    else
        print(file, "<text x=\"%d\" y=\"%g\" class=\"small right\">+%zu B</text>\n", LEFT - 6, p->y[row] + 13,
              (size_t)(p->address[row] - p->address[0]));
    if (p->gap[row] == 0)
        return;
    draw_box(file, "page", x_of(0), p->y[row] - GAP - 13, ROW_BYTES + 3);
    print(
        file,
        "<text x=\"%g\" y=\"%g\" class=\"small mid\">%zu bytes left out, of which no lane uses any</text>\n",
        x_of(ROW_BYTES / 2), p->y[row] - GAP, (size_t)p->gap[row]);
}

static void draw_banks(OutputFile *file, const Panel *p)
{
    const double y = p->y[p->rows - 1] + BOX + 10;
    print(file, "<text x=\"%d\" y=\"%g\" class=\"tiny right\">bank</text>\n", LEFT - 6, y);
    for (int bank = 0; bank < BANKS; bank++)
        print(file, "<text x=\"%.2f\" y=\"%g\" class=\"tiny mid\">%d</text>\n",
              x_of(BANK_BYTES * bank) + BANK_BYTES * byte_width / 2, y, bank);
}

static void draw_piece(OutputFile *file, const Panel *p, int number)
{
    const Piece *piece = &p->piece[number];
    const double x = x_of(piece->column), y = p->y[piece->row];
    draw_box(file, "moved", x, y, p->bytes);
    for (unsigned first = 0, end; first < p->bytes; first = end) {
        const int lane = lane_at(p, piece->lanes, piece->address + first);
        for (end = first + 1; end < p->bytes && lane_at(p, piece->lanes, piece->address + end) == lane;)
            end++;
        if (lane >= 0)
            draw_lane(file, "used", lane, x + first * byte_width, y, end - first);
    }
    draw_box(file, "frame", x, y, p->bytes);
    if (!is_shared(p->line->access))
        print(file, "<text x=\"%.2f\" y=\"%g\" class=\"tiny\">%d</text>\n", x, y - 3, number + 1);
}

void draw_requests(const char *path, const LineSums *lines, int count)
{
    Panel *panels = allocate((size_t)count * sizeof *panels);
    double height = 6;
    for (int n = 0; n < count; n++) {
        panels[n] = make_panel(&lines[n], height);
        height = panels[n].y[panels[n].rows - 1] + BOX + BELOW;
    }
    OutputFile file;
    begin_file(&file, path);
    print(&file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%g\" viewBox=\"0 0 %d %g\">\n%s",
          WIDTH, height, WIDTH, height, style);
    for (int n = 0; n < count; n++) {
        draw_words(&file, &panels[n]);
        draw_lanes(&file, &panels[n]);
        for (int row = 0; row < panels[n].rows; row++)
            draw_row(&file, &panels[n], row);
        for (int piece = 0; piece < panels[n].count; piece++)
            draw_piece(&file, &panels[n], piece);
        if (is_shared(lines[n].access))
            draw_banks(&file, &panels[n]);
    }
    print(&file,
          "<text x=\"%d\" y=\"%g\" class=\"small\">colour: bytes that a lane uses; grey: moved, but not "
          "used; dashed: not moved</text>\n</svg>\n",
          LEFT, height - 10);
    finish_file(&file);
    free(panels);
}
