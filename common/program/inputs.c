#include "program/inputs.h"

#include "host/fail.h"
#include "output/output_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char **inputs;
static int input_count;

void add_input(const char *path)
{
    inputs = realloc(inputs, (size_t)(input_count + 1) * sizeof *inputs);
    if (!inputs)
        fail(EXIT_MACHINE, "not enough memory for the names of %d inputs", input_count + 1);
    inputs[input_count++] = path;
}

const char *input(int n)
{
    return n < input_count ? inputs[n] : NULL;
}

void check_output(const char *path)
{
    for (int n = 0; n < input_count; n++)
        if (is_same_file(path, inputs[n]))
            fail(EXIT_USAGE, "the output \"%s\" would replace \"%s\", which is read: give it another name",
                 path, inputs[n]);
}

/** Looks a file up (1), or if it is not there the folder that it would be in (0); -1: there is neither. */
static int look_up(const char *path, struct stat *status)
{
    if (stat(path, status) == 0)
        return 1;
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s.", (int)(last_part(path) - path), path);
    return stat(folder, status) == 0 ? 0 : -1;
}

int is_same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    const int found = look_up(a, &of_a);
    if (look_up(b, &of_b) != found || found < 0)
        return 0;
    return of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino &&
           (found || strcmp(last_part(a), last_part(b)) == 0);
}
