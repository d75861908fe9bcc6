#include "output/checkpoint.h"

#include "host/allocate.h"
#include "output/checksum.h"
#include "output/vtk.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The format changes with anything that a reader must know. In the first one only populations have a
 * checksum, which stands in the second line; since the second one all bytes have one, which is the last line:
 * there FNV-1a, now that of checksum.h in its lanes. */
static const char first_format[] = "1", second_format[] = "2", format[] = "3";
static const char last_line[] = "<!-- %s checksum of all bytes above: %016llx -->\n";
static const char of_second_format[] = "FNV-1a", of_format[] = "8-lane"; // equally long
enum { LAST_LINE_SIZE = 62, REMARK_SIZE = DESCRIPTION_SIZE + 128, HEAD_SIZE = 1 << 14, MOST_DIGITS = 18 };

/** What the second line says, as text. */
typedef struct {
    char format[16], about[DESCRIPTION_SIZE], step[MOST_DIGITS + 1];
    char populations[17]; /**< their checksum; "": it is not there */
} Remark;

static int has_last_line(const Remark *r)
{
    return strcmp(r->format, first_format) != 0;
}

static void print_last_line(char text[LAST_LINE_SIZE + 1], const char *kind, uint64_t checksum)
{
    snprintf(text, LAST_LINE_SIZE + 1, last_line, kind, (unsigned long long)checksum);
}

static void print_head(OutputFile *o, const Scenario *s, const Remark *r)
{
    char text[REMARK_SIZE];
    snprintf(text, sizeof text, "lbm-stages checkpoint, format %s: %s; step %s%s%s", r->format, r->about,
             r->step, *r->populations ? "; populations " : "", r->populations);
    print_vtk_head(o, s, strtol(r->step, NULL, 10), text, 1);
}

/** Cells whose populations are written at a time. */
enum { PART = 1 << 20 };

static void put_populations(OutputFile *o, const Scenario *s, ReadPopulations *read, const void *source)
{
    const size_t cells = cell_count(s), directions = (size_t)directions_of(s),
                 most = cells < PART ? cells : PART;
    Real *f = allocate(most * directions * sizeof *f);
    put_vtk_size(o, population_count(s) * sizeof *f);
    for (size_t first = 0; first < cells; first += most) {
        const size_t count = cells - first < most ? cells - first : most;
        read(source, first, count, f);
        put(o, f, count * directions * sizeof *f);
    }
    free(f);
}

void write_checkpoint(const char *path, const Snapshot *r, ReadPopulations *read, const void *source)
{
    Remark remark = {0};
    char last[LAST_LINE_SIZE + 1];
    strcpy(remark.format, format);
    describe(r->scenario, remark.about);
    snprintf(remark.step, sizeof remark.step, "%ld", r->step);
    OutputFile o;
    Checksum checksum = begin_checksum();
    begin_file(&o, path);
    o.checksum = &checksum;
    print_head(&o, r->scenario, &remark);
    put_vtk_fields(&o, r);
    put_populations(&o, r->scenario, read, source);
    if (r->nodes) {
        put_vtk_size(&o, node_bytes(r->scenario));
        put(&o, r->nodes, node_bytes(r->scenario));
    }
    print(&o, "%s", vtk_end);
    print_last_line(last, of_format, value_of_checksum(&checksum));
    print(&o, "%s", last);
    finish_file(&o);
}

/* ---- Reading ---- */

/** A file as far as it is read. */
typedef struct {
    const char *path;
    FILE *file;
    size_t size; /**< of the whole file */
} Source;

/** Ends the program with one line that says why this file won't do (printf-like). */
NORETURN __attribute__((format(printf, 2, 3))) static void refuse(const char *path, const char *reason, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, reason);
    vsnprintf(text, sizeof text, reason, arguments);
    va_end(arguments);
    fail(EXIT_USAGE, "can't go on from \"%s\": %s", path, text);
}

static Source open_source(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        refuse(path, "%s", strerror(errno));
    if (!S_ISREG(status.st_mode))
        refuse(path, "it is no regular file");
    const Source source = {path, fopen(path, "rb"), (size_t)status.st_size};
    if (!source.file)
        fail(exit_code_of_error(errno), "can't go on from \"%s\": %s", path, strerror(errno));
    return source;
}

static void get(const Source *source, void *data, size_t bytes)
{
    if (fread(data, 1, bytes, source->file) == bytes)
        return;
    if (ferror(source->file))
        fail(exit_code_of_error(errno), "can't go on from \"%s\": %s", source->path, strerror(errno));
    refuse(source->path, "it ended while it was read");
}

static void check_checksum(const Source *source, int is_second_format)
{
    char block[1 << 16], found[LAST_LINE_SIZE + 1] = "", expected[LAST_LINE_SIZE + 1];
    uint64_t of_bytes = empty_checksum;
    Checksum checksum = begin_checksum();
    const size_t last = source->size < LAST_LINE_SIZE ? source->size : LAST_LINE_SIZE;
    size_t left = source->size - last;
    rewind(source->file);
    for (size_t bytes; left > 0; left -= bytes) {
        bytes = left < sizeof block ? left : sizeof block;
        get(source, block, bytes);
        if (is_second_format)
            of_bytes = add_to_checksum(of_bytes, block, bytes);
        else
            extend_checksum(&checksum, block, bytes);
    }
    get(source, found, last);
    const uint64_t sum = is_second_format ? of_bytes : value_of_checksum(&checksum);
    print_last_line(expected, is_second_format ? of_second_format : of_format, sum);
    if (strcmp(found, expected) != 0)
        refuse(source->path,
               "it is damaged, or not all of it is there: its last line must be the checksum %016llx of its "
               "bytes",
               (unsigned long long)sum);
}

/** Reads what the second line says, and refuses what is damaged or no checkpoint of this scenario. */
static Remark read_remark(const Source *source, const Scenario *s)
{
    Remark r = {0};
    char text[REMARK_SIZE + 64] = "", about[DESCRIPTION_SIZE];
    get(source, text, source->size < sizeof text ? source->size : sizeof text - 1);
    const int found = sscanf(text,
                             "<?xml version=\"1.0\"?>\n<!-- lbm-stages checkpoint, format %15[^:]: %255[^;]; "
                             "step %18[0-9]; populations %16[0-9a-f] -->",
                             r.format, r.about, r.step, r.populations);
    if (found < 1)
        refuse(source->path, "it is no checkpoint; --checkpoint F.vti writes one");
    if (strcmp(r.format, first_format) != 0 && strcmp(r.format, second_format) != 0 &&
        strcmp(r.format, format) != 0)
        refuse(source->path, "its format is %s, and this program reads %s, %s and %s", r.format, first_format,
               second_format, format);
    if (has_last_line(&r))
        check_checksum(source, strcmp(r.format, second_format) == 0);
    if (found != (has_last_line(&r) ? 3 : 4))
        refuse(source->path, "its second line is damaged; --checkpoint F.vti writes another one");
    describe(s, about);
    if (strcmp(r.about, about) != 0)
        refuse(source->path, "it holds %s, and this run is %s: both must be the same", r.about, about);
    return r;
}

/** What would be written up to the arrays; returns how many bytes it has. */
static size_t expected_head(const Scenario *s, const Remark *remark, char text[HEAD_SIZE])
{
    OutputFile memory = {.path = "the head of a checkpoint to memory",
                         .file = fmemopen(text, HEAD_SIZE, "w")}; // it never grows, and so never lacks memory
    if (!memory.file)
        fail(EXIT_MACHINE, "not enough memory for the head of a checkpoint");
    print_head(&memory, s, remark);
    const long size = ftell(memory.file);
    if (fclose(memory.file) != 0)
        fail(EXIT_MACHINE, "the head of a checkpoint has %ld bytes: it takes up to %d", size, HEAD_SIZE);
    return (size_t)size;
}

/** Compares the size of the file and its head, which is left behind, with what would be written. */
static void check_head(const Source *source, const Scenario *s, const Remark *remark)
{
    const size_t array = population_count(s) * sizeof(Real) + sizeof(uint64_t),
                 nodes = s->membrane.nodes > 0 ? node_bytes(s) + sizeof(uint64_t) : 0;
    char expected[HEAD_SIZE];
    const size_t head = expected_head(s, remark, expected);
    const size_t whole = head + vtk_field_bytes(s) + array + nodes + strlen(vtk_end) +
                         (has_last_line(remark) ? LAST_LINE_SIZE : 0);
    int is_same = source->size == whole;
    rewind(source->file);
    for (size_t n = 0; n < head && is_same; n++)
        is_same = getc(source->file) == (unsigned char)expected[n];
    if (source->size != whole)
        refuse(source->path, "it has %zu bytes, and a whole one of this flow %zu", source->size, whole);
    if (!is_same)
        refuse(source->path,
               "its head is damaged, or of another kind of machine; --checkpoint F.vti writes another one");
}

/** Reads the types, which the file must be at, and compares them with those of the scenario. */
static void check_types(const Source *source, const Scenario *s)
{
    for (size_t cell = 0; cell < cell_count(s); cell++) {
        CellType type;
        get(source, &type, sizeof type);
        if (type == s->type[cell])
            continue;
        const Position at = position_of(s, cell);
        char depth[16] = "";
        if (is_in_space(s))
            snprintf(depth, sizeof depth, ",%d", at.z);
        refuse(source->path,
               "its cell %d,%d%s is of type %d, and that of this run of type %d: the bodies must be the same",
               at.x, at.y, depth, type, s->type[cell]);
    }
}

/** Compares populations with the checksum that the second line of the first format has. */
static void check_populations(const char *path, const Real *f, size_t count, const char *expected)
{
    char checksum[17];
    snprintf(checksum, sizeof checksum, "%016llx",
             (unsigned long long)add_to_checksum(empty_checksum, f, count * sizeof *f));
    if (strcmp(checksum, expected) != 0)
        refuse(path, "its populations are damaged: their checksum is %s, and was %s", checksum, expected);
}

long read_checkpoint(const char *path, const Scenario *s, Real *f)
{
    const size_t cells = cell_count(s), count = population_count(s);
    const Source source = open_source(path);
    const Remark remark = read_remark(&source, s);
    uint64_t size;
    check_head(&source, s, &remark);
    if (fseeko(source.file, (off_t)(vtk_field_bytes(s) - cells * sizeof *s->type), SEEK_CUR) != 0)
        refuse(path, "%s", strerror(errno));
    check_types(&source, s);
    get(&source, &size, sizeof size);
    get(&source, f, count * sizeof *f);
    if (s->membrane.nodes > 0) {
        get(&source, &size, sizeof size);
        get(&source, s->membrane.position, node_bytes(s));
    }
    if (!has_last_line(&remark))
        check_populations(path, f, count, remark.populations);
    fclose(source.file);
    return strtol(remark.step, NULL, 10);
}
