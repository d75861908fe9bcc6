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

double membrane_bytes(const Scenario *s)
{
    const double triangles = 20.0 * pow(4.0, refinement_of(s->length)), nodes = triangles / 2.0 + 2.0;
    const double of_node = 3 * sizeof(Real) + sizeof(int) + 6 * sizeof(int64_t), // the last are sums
        of_triangle = 3 * sizeof(Real) + 9 * sizeof(int);
    return (double)s->capsules * (3 * sizeof(double) + nodes * of_node + triangles * of_triangle);
}

/** Bytes of a cell, and its part of the membrane. */
static double bytes_with_membrane(const Stage *stage, const Scenario *s)
{
    return stage->bytes_per_cell + membrane_bytes(s) / (double)cell_count(s);
}

double host_bytes_per_cell(const Stage *stage, const Scenario *s)
{
    const double home = sizeof(Moments) + sizeof(CellType) + membrane_bytes(s) / (double)cell_count(s);
    return home + (runs_on_gpu(stage) && !gpu_is_emulated ? 0.0 : bytes_with_membrane(stage, s));
}

double device_bytes_per_cell(const Stage *stage, const Scenario *s)
{
    return runs_on_gpu(stage) ? bytes_with_membrane(stage, s) : 0.0;
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
    require_memory(stage, s, "main memory", host_bytes_per_cell(stage, s) + more, (double)free_memory());
    if (runs_on_gpu(stage))
        require_memory(stage, s, "device memory", (device_bytes_per_cell(stage, s) + more_on_device) / parts,
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
