#include "stage/stages.h"

#include "gpu/device.h"
#include "host/allocate.h"
#include "host/fail.h"
#include "stage/unsupported.h"

#include <math.h>
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
static StageInfo info_of(const Stage *stage)
{
    for (int n = 0; n < stage_count; n++)
        if (stages[n] == stage)
            return stage_info[n];
    return (StageInfo){.follows = -1};
}

int runs_on_gpu(const Stage *stage)
{
    return info_of(stage).on_gpu;
}

int runs_on_ranks(const Stage *stage)
{
    return info_of(stage).on_ranks;
}

int keeps_grid_on_chip(const Stage *stage)
{
    return info_of(stage).on_chip;
}

double host_bytes_per_cell(const Stage *stage)
{
    const int on_device = runs_on_gpu(stage) && !gpu_is_emulated;
    return sizeof(Moments) + sizeof(CellType) + (on_device ? 0.0 : stage->bytes_per_cell);
}

double device_bytes_per_cell(const Stage *stage)
{
    return runs_on_gpu(stage) ? stage->bytes_per_cell : 0.0;
}

int largest_side(double bytes, double bytes_per_cell, int dimensions)
{
    const double cells = floor(bytes / bytes_per_cell);
    double side = floor(pow(cells, 1.0 / dimensions)) + 1.0; // pow rounds
    while (pow(side, dimensions) > cells)
        side--;
    return (int)side;
}

static void require_memory(const Stage *stage, const Scenario *s, const char *kind, double bytes_per_cell,
                           double available)
{
    const double gib = 1024.0 * 1024.0 * 1024.0, needed = bytes_per_cell * (double)cell_count(s);
    if (needed <= available)
        return;
    const int in_space = is_in_space(s), is_cube = s->depth > 1;
    const int side = largest_side(available, bytes_per_cell, is_cube ? 3 : 2);
    char size[SIZE_TEXT], largest[SIZE_TEXT];
    snprintf(largest, sizeof largest, in_space ? "%dx%dx%d" : "%dx%d", side, side, is_cube ? side : 1);
    fail(EXIT_MACHINE, "not enough %s: %s takes %.2f GiB for %s cells, and %.2f GiB are free: up to %s fit",
         kind, stage->name, needed / gib, describe_size(s, size), available / gib, largest);
}

/** Bytes of the device's memory for batches, samples and sums. */
static const double device_buffers = 128 << 20;

void check_memory(const Stage *stage, const Scenario *s, int parts, double more, double more_on_device)
{
    require_memory(stage, s, "main memory", host_bytes_per_cell(stage) + more, (double)free_memory());
    if (runs_on_gpu(stage))
        require_memory(stage, s, "device memory", (device_bytes_per_cell(stage) + more_on_device) / parts,
                       (double)free_device_memory() - device_buffers);
}

void append_stages_on_chip(char *names, size_t size, const Stage *stage, int width, int height)
{
    if (!runs_on_gpu(stage) || keeps_grid_on_chip(stage))
        return;
    for (int n = 0; n < stage_count; n++)
        if (stage_info[n].on_chip && stages[n]->lattice == stage->lattice &&
            !stage_reason(stages[n], width, height)) {
            const size_t used = strlen(names);
            snprintf(names + used, size - used, " %s", stages[n]->name);
        }
}
