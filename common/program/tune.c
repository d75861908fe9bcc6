#include "gpu/device.h"
#include "host/fail.h"
#include "host/interrupt.h"
#include "host/standard_output.h"
#include "program/commands.h"
#include "program/measured_table.h"
#include "speed/speed.h"
#include "stage/stages.h"
#include "stage/unsupported.h"

#include <stdlib.h>

/* Block shapes: powers of two, from one warp to the most threads that a block may have. */
enum { FEWEST_THREADS = 32, MOST_THREADS = 1024, MOST_SHAPES = 64 };

typedef struct {
    Parameters parameters;
    const Flow *flow;
    char csv[PATH_SIZE];
} Settings;

static const Option options[] = {
    OPTION("--size", "WxHxD", grid_size, parameters,
           "cells, walls included; default 4096, on the emulator 256; in space 256 and 32"),
    OPTION("--scenario", "S", flow_name, flow, "what flows; default: the first flow that the stage takes"),
    OPTION("--csv", "F.csv", file_name, csv, "write the table for other programs"),
    {0},
};

/** One block shape and its speed. */
typedef struct {
    Block block;
    Measurement measured;
} Shape;

static int list_shapes(Shape shapes[MOST_SHAPES])
{
    int count = 0;
    for (unsigned threads = FEWEST_THREADS; threads <= MOST_THREADS; threads *= 2)
        for (unsigned x = threads; x >= 1; x /= 2)
            shapes[count++].block = (Block){x, threads / x};
    return count;
}

/** Returns how many were measured before a signal asked for an end. */
static int measure_shapes(Shape *shapes, int count, const Stage *stage, const Scenario *s,
                          const Effort *effort)
{
    int measured = 0;
    for (; measured < count; measured++) {
        shapes[measured].measured = measure(stage, s, shapes[measured].block, effort);
        if (stop_code())
            break;
    }
    return measured;
}

static int by_speed(const void *a, const void *b)
{
    const double left = ((const Shape *)a)->measured.mlups.mean,
                 right = ((const Shape *)b)->measured.mlups.mean;
    return (left < right) - (left > right);
}

static void print_ranking(Record *r, const Stage *stage, const Scenario *s, const Shape *shapes, int count)
{
    printf("\n%4s %9s %8s %9s %9s %9s %6s %10s\n", "rank", "block", "threads", "MLUPS", "min", "max", "CV %",
           "% of best");
    add_text(r, "rank,stage,width,height,block_x,block_y,threads,steps,mlups_mean,mlups_min,mlups_max,"
                "cv_percent,percent_of_best\n");
    for (int n = 0; n < count; n++) {
        const Block block = shapes[n].block;
        const Statistics *speed = &shapes[n].measured.mlups;
        const double cv = 100.0 * speed->variation,
                     share = 100.0 * speed->mean / shapes[0].measured.mlups.mean;
        char name[24];
        snprintf(name, sizeof name, "%ux%u", block.x, block.y);
        printf("%4d %9s %8u %9.1f %9.1f %9.1f %6.2f %10.1f\n", n + 1, name, block.x * block.y, speed->mean,
               speed->min, speed->max, cv, share);
        add_text(r, "%d,%s,%d,%d,%u,%u,%u,%d,%.9g,%.9g,%.9g,%.9g,%.9g\n", n + 1, stage->name, s->width,
                 s->height, block.x, block.y, block.x * block.y, shapes[n].measured.steps, speed->mean,
                 speed->min, speed->max, cv, share);
        flush_standard_output();
    }
}

static int default_size(const Flow *flow)
{
    if (flow->lattice->dimensions == 2)
        return gpu_is_emulated ? 256 : 4096;
    return gpu_is_emulated ? 32 : 256;
}

static int tune(int count, char **arguments)
{
    const Words words = join_words("tune", count, arguments);
    Settings settings = {.parameters.tau = measured_tau};
    count = parse_options(options, &settings, count, arguments);
    if (count != 1)
        fail(EXIT_USAGE, "tune takes one stage, %d were given; \"lbm list\" shows them", count);
    const Stage *stage = parse_stage(arguments[0]);
    if (!runs_on_gpu(stage))
        fail(EXIT_USAGE, "%s runs on the CPU, which has no blocks; tune takes a stage on the GPU",
             arguments[0]);
    const Effort effort = {
        .repeats = 3, .shortest = gpu_is_emulated ? 0.01 : 0.05, .longest = gpu_is_emulated ? 0.02 : 0.1};

    if (!settings.flow)
        settings.flow = first_flow(stage);
    check_lattice(stage, settings.flow);
    if (!settings.parameters.width)
        settings.parameters.width = settings.parameters.height = default_size(settings.flow);
    Scenario s = resolve_scenario(settings.flow, settings.parameters);
    check_grid(stage, s.width, s.height);
    check_memory(stage, &s, 1, 0.0, 0.0);
    create_cells(&s);
    Shape shapes[MOST_SHAPES];
    const int shape_count = list_shapes(shapes);
    for (int n = 0; n < shape_count; n++)
        check_block(s.width, s.height, shapes[n].block);
    Record record;
    begin_record(&record, settings.csv, &words, 1, 0);
    note(&record, "stage", "%s: %s", stage->name, stage->summary);
    char cells[SIZE_TEXT];
    note(&record, "flow", "%s at tau %g, %s cells", s.flow->name, measured_tau, describe_size(&s, cells));
    note(&record, "repeats", "%d of at least %g s of solver time for each of %d block shapes", effort.repeats,
         effort.shortest, shape_count);
    const int measured = measure_shapes(shapes, shape_count, stage, &s, &effort);
    qsort(shapes, (size_t)measured, sizeof *shapes, by_speed);
    print_ranking(&record, stage, &s, shapes, measured);
    end_record(&record, measured);
    destroy_scenario(&s);
    return stop_code();
}

const Command tune_command = {
    "tune",
    "STAGE [OPTION|@FILE ...]",
    "ranks the block shapes of a stage",
    options,
    "\nTakes all shapes of 32 to 1024 threads whose sides are powers of two, fastest first.\n"
    "Ctrl-C (SIGINT, SIGTERM, SIGHUP) ends it, ranks the shapes measured so far, and gives exit code\n"
    "128 + the signal's number; a second SIGINT or SIGTERM ends the program at once.\n",
    tune,
};
