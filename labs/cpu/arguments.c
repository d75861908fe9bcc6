#include "arguments.h"

#include "host/fail.h"

#include <dlfcn.h>
#include <stdlib.h>

const Stage *load_stage(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const Stage *stage = library ? dlsym(library, "stage") : NULL;
    if (!stage)
        fail(EXIT_USAGE, "%s", dlerror());
    return stage;
}

int parse_integer(const char *what, const char *text, int least, int most)
{
    char *end;
    const long number = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || number < least || number > most)
        fail(EXIT_USAGE, "%s is \"%s\"; it takes an integer from %d to %d", what, text, least, most);
    return (int)number;
}
