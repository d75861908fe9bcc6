#include "arguments.h"

#include "host/fail.h"
#include "stage/unsupported.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>

const Stage *load_stage(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const Stage *stage = library ? dlsym(library, "stage") : NULL;
    if (!stage)
        fail(EXIT_USAGE, "SOLVER is \"%s\"; it takes a library with a stage (%s)", path, dlerror());
    return stage;
}

const Stage *load_stage_of(const char *path, const Flow *flow)
{
    const Stage *stage = load_stage(path);
    if (!takes_flow(stage, flow))
        fail(EXIT_USAGE, "SOLVER is \"%s\", a stage on %s; it takes one on %s, for the flow %s", path,
             stage->lattice->name, flow->lattice->name, flow->name);
    return stage;
}

int parse_integer(const char *what, const char *text, int least, int most)
{
    char *end;
    const long number = strtol(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end != '\0' || number < least || number > most)
        fail(EXIT_USAGE, "%s is \"%s\"; it takes an integer from %d to %d", what, text, least, most);
    return (int)number;
}
