#include "output/collection.h"

#include "output/vtk.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

void add_step(Steps *steps, long step)
{
    if (steps->count > 0 && steps->step[steps->count - 1] == step)
        return;
    if (steps->count == steps->capacity) {
        steps->capacity = steps->capacity ? 2 * steps->capacity : 1024;
        steps->step = realloc(steps->step, steps->capacity * sizeof *steps->step);
        if (!steps->step)
            fail(EXIT_MACHINE, "not enough memory for a list of %zu files", steps->capacity);
    }
    steps->step[steps->count++] = step;
}

Steps read_collection(const char *path, long last, const Scenario *s, NameOfPart *name, const void *about)
{
    Steps steps = {0};
    char line[256], digits[19];
    FILE *file = fopen(path, "r");
    if (!file && errno != ENOENT)
        fail(EXIT_MACHINE, "can't read the list \"%s\": %s", path, strerror(errno));
    while (file && fgets(line, sizeof line, file)) {
        const int found = sscanf(line, " <DataSet timestep=\"%18[0-9]\" file=", digits);
        const long step = found == 1 ? strtol(digits, NULL, 10) : LONG_MAX;
        if (step <= last && is_vtk_of(name(about, step, 0), s, step))
            add_step(&steps, step);
    }
    if (file && ferror(file))
        fail(EXIT_MACHINE, "can't read the list \"%s\": %s", path, strerror(errno));
    if (file)
        fclose(file);
    return steps;
}

/** Reads one character of UTF-8 in as few bytes as it needs; returns where it ends, or NULL. */
static const unsigned char *read_character(const unsigned char *text, unsigned *code)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char first = *text;
    const int bytes = first < 0x80   ? 1
                      : first < 0xc0 ? 0
                      : first < 0xe0 ? 2
                      : first < 0xf0 ? 3
                      : first < 0xf8 ? 4
                                     : 0;
    *code = bytes == 1 ? first : first & (0x7fu >> bytes);
    for (int n = 1; n < bytes; n++) {
        if (text[n] >> 6 != 2) // also where the text ends
            return NULL;
        *code = *code << 6 | (text[n] & 0x3f);
    }
    return bytes && *code >= least[bytes] ? text + bytes : NULL;
}

int is_xml_text(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    while (c && *c) {
        unsigned code;
        c = read_character(c, &code);
        const int is_control = code < 0x20 && code != '\t' && code != '\n' && code != '\r';
        if (!c || is_control || code - 0xd800 < 0x800 || code - 0xfffe < 2 || code > 0x10ffff)
            return 0;
    }
    return 1;
}

static void print_data_set(OutputFile *o, long step, const char *name)
{
    print(o, "    <DataSet timestep=\"%ld\" file=\"", step);
    for (const unsigned char *c = (const unsigned char *)name; *c; c++)
        if (*c == '&' || *c == '<' || *c == '>' || *c == '"' || iscntrl(*c))
            print(o, "&#%d;", *c);
        else
            put(o, c, 1);
    print(o, "\"/>\n");
}

void write_collection(const char *path, const Steps *steps, NameOfPart *name, const void *about)
{
    OutputFile o;
    begin_file(&o, path);
    print(&o, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n");
    for (size_t n = 0; n < steps->count; n++) {
        const char *part;
        for (int k = 0; (part = name(about, steps->step[n], k)); k++)
            print_data_set(&o, steps->step[n], last_part(part));
    }
    print(&o, "  </Collection>\n</VTKFile>\n");
    finish_file(&o);
}
