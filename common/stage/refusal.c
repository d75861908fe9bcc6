#include "stage/refusal.h"

#include "host/fail.h"

const char *stage_refusal(const Stage *stage, int width, int height)
{
    return stage->refusal ? stage->refusal(width, height) : NULL;
}

void check_grid(const Stage *stage, int width, int height)
{
    const char *refusal = stage_refusal(stage, width, height);
    if (refusal)
        fail(EXIT_USAGE, "%s refuses %d x %d cells: %s", stage->name, width, height, refusal);
}
