#include "stages.h"

#include "fail.h"

#include <string.h>

const Stage *parse_stage(const char *name)
{
    char names[1024] = "";
    for (int n = 0; n < stage_count; n++) {
        if (strcmp(stages[n]->name, name) == 0)
            return stages[n];
        append_name(names, sizeof names, stages[n]->name);
    }
    fail(EXIT_USAGE, "unknown stage \"%s\"; there are %s", name, names);
}

int runs_on_gpu(const Stage *stage)
{
    for (int n = 0; n < stage_count; n++)
        if (stages[n] == stage)
            return places[n].on_gpu;
    return 0;
}
