#include "stage/stages.h"

#include "host/fail.h"
#include "stage/refusal.h"

#include <stdio.h>
#include <string.h>

const Stage *find_stage(const char *name)
{
    for (int n = 0; n < stage_count; n++)
        if (strcmp(stages[n]->name, name) == 0)
            return stages[n];
    return NULL;
}

const Stage *parse_stage(const char *name)
{
    const Stage *stage = find_stage(name);
    if (stage)
        return stage;
    char names[1024] = "";
    for (int n = 0; n < stage_count; n++)
        append_name(names, sizeof names, stages[n]->name);
    fail(EXIT_USAGE, "unknown stage \"%s\"; there are %s", name, names);
}

/** Where a stage stands; nowhere if it is none of the program. */
static Place place_of(const Stage *stage)
{
    for (int n = 0; n < stage_count; n++)
        if (stages[n] == stage)
            return places[n];
    return (Place){.follows = -1};
}

int runs_on_gpu(const Stage *stage)
{
    return place_of(stage).on_gpu;
}

int runs_on_ranks(const Stage *stage)
{
    return place_of(stage).on_ranks;
}

int keeps_grid_on_chip(const Stage *stage)
{
    return place_of(stage).on_chip;
}

void append_stages_on_chip(char *names, size_t size, const Stage *stage, int width, int height)
{
    if (!runs_on_gpu(stage) || keeps_grid_on_chip(stage))
        return;
    for (int n = 0; n < stage_count; n++)
        if (places[n].on_chip && stages[n]->lattice == stage->lattice &&
            !stage_refusal(stages[n], width, height)) {
            const size_t used = strlen(names);
            snprintf(names + used, size - used, " %s", stages[n]->name);
        }
}
