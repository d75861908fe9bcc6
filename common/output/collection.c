#include "collection.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void add_step(Steps *steps, long step)
{
    if (steps->count == steps->room) {
        steps->room = steps->room ? 2 * steps->room : 1024;
        steps->step = realloc(steps->step, steps->room * sizeof *steps->step);
        if (!steps->step)
            fail(EXIT_MACHINE, "not enough memory for a list of %zu files", steps->room);
    }
    steps->step[steps->count++] = step;
}

Steps read_collection(const char *path, long last)
{
    Steps steps = {0};
    char line[256], digits[19];
    FILE *file = fopen(path, "r");
    if (!file && errno != ENOENT)
        fail(EXIT_MACHINE, "can't read the list \"%s\": %s", path, strerror(errno));
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, " <DataSet timestep=\"%18[0-9]\" file=", digits) == 1 &&
            strtol(digits, NULL, 10) <= last)
            add_step(&steps, strtol(digits, NULL, 10));
    if (file && ferror(file))
        fail(EXIT_MACHINE, "can't read the list \"%s\": %s", path, strerror(errno));
    if (file)
        fclose(file);
    return steps;
}

/** Prints a name as XML wants it. */
static void print_name(OutputFile *o, const char *name)
{
    for (const unsigned char *c = (const unsigned char *)name; *c; c++)
        if (*c == '&' || *c == '<' || *c == '>' || *c == '"' || iscntrl(*c))
            print(o, "&#%d;", *c);
        else
            put(o, c, 1);
}

void write_collection(const char *path, const Steps *steps, const char *(*name)(const void *about, long step),
                      const void *about)
{
    OutputFile o;
    begin_file(&o, path);
    print(&o, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n");
    for (size_t n = 0; n < steps->count; n++) {
        print(&o, "    <DataSet timestep=\"%ld\" file=\"", steps->step[n]);
        print_name(&o, last_part(name(about, steps->step[n])));
        print(&o, "\"/>\n");
    }
    print(&o, "  </Collection>\n</VTKFile>\n");
    finish_file(&o);
}
