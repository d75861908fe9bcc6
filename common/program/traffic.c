#include "program/traffic.h"

#include "host/fail.h"
#include "program/commands.h"
#include "speed/speed.h"
#include "stage/stages.h"
#include "stage/unsupported.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_CELLS = 1 << 22, MOST_MEBIBYTES = 4096 };

typedef TrafficSettings Settings;

static int set_line(void *target, const char *text)
{
    LineName *line = target;
    const char *colon = strrchr(text, ':');
    const int length = colon ? (int)(colon - text) : 0;
    if (length >= PATH_SIZE || (colon && length == 0))
        return 0;
    snprintf(line->file, sizeof line->file, "%.*s", length, text);
    return positive_integer.set(&line->number, colon ? colon + 1 : text);
}

static const Kind line_name = {set_line, "LINE or FILE:LINE, as in 37 or d2q9.h:204"};

/** Makes it the device of the emulator. */
static int set_device(void *target, const char *text)
{
    (void)target; // parse_traffic asks the emulator
    return *text && find_known_device(text) && setenv("LBM_DEVICE", text, 1) == 0;
}

static const Kind device_name = {set_device, KNOWN_DEVICE_NAMES};

static int set_cache_size(void *target, const char *text)
{
    char number[8] = "";
    const size_t digits = strspn(text, "0123456789");
    if (digits >= sizeof number || strcasecmp(text + digits, "M") != 0)
        return 0;
    memcpy(number, text, digits);
    return positive_integer.set(target, number) && *(long *)target <= MOST_MEBIBYTES;
}

static const Kind cache_size = {set_cache_size, "a size in MiB from 1M to 4096M, as in 60M or 60m"};

static const Option options[] = {
    OPTION("--size", "WxHxD", grid_size, parameters, "cells, walls included; default 512, in space 64"),
    OPTION("--block", "BXxBY", block_shape, block, "threads of a block; default 32x8"),
    OPTION("--lines", NULL, flag, lines, "for each line of the source, too"),
    OPTION("--device", "NAME", device_name, device, "predict for " KNOWN_DEVICE_NAMES),
    OPTION("--bandwidth", "B", positive_number, bandwidth,
           "of a GPU's memory, in GB/s; default: the device's, or 4292.2, of a copy on an H200"),
    OPTION("--l2", "SIZE", cache_size, l2, "simulate an L2 cache, of 60M as in an H200 or 50M as in an H100"),
    OPTION("--csv", "F.csv", file_name, csv, "write the table for other programs"),
    OPTION("--svg", "F.svg", file_name, svg, "draw a request of a line: its lanes, and the bytes they use"),
    OPTION("--line", "LINE", line_name, line,
           "the line to draw, of the solver or FILE:LINE; default: the one with most sectors"),
    {0},
};

TrafficSettings parse_traffic(int count, char **arguments)
{
    Settings s = {.parameters = {.tau = measured_tau}, .block = default_block};
    count = parse_options(options, &s, count, arguments);
    s.device = emulated_device();
    if (s.bandwidth == 0.0)
        s.bandwidth = s.device->bandwidth;
    if (count < 1 || count > 2)
        fail(EXIT_USAGE,
             "traffic takes a stage, and a flow if it is not the first it takes; %d names were given", count);
    s.stage = parse_stage(arguments[0]);
    if (!runs_on_gpu(s.stage))
        fail(EXIT_USAGE, "%s runs on the CPU, which has no warps; traffic takes a stage on the GPU",
             arguments[0]);
    s.flow = count == 2 ? parse_flow(arguments[1]) : first_flow(s.stage);
    check_lattice(s.stage, s.flow);
    if (!s.parameters.width)
        s.parameters.width = s.parameters.height = s.flow->lattice->dimensions == 2 ? 512 : 64;
    const Scenario bare = resolve_scenario(s.flow, s.parameters);
    check_grid(s.stage, bare.width, bare.height);
    char size[SIZE_TEXT];
    if (cell_count(&bare) > MOST_CELLS)
        fail(EXIT_USAGE, "%s cells would take minutes; traffic takes up to %d cells, such as 2048x2048",
             describe_size(&bare, size), MOST_CELLS);
    if (s.line.number && !*s.svg)
        fail(EXIT_USAGE, "--line names the line that --svg draws; traffic takes both, or --svg F.svg alone");
    check_two_outputs(s.csv, s.svg);
    return s;
}

const Command traffic_command = {
    "traffic",
    "STAGE [FLOW] [OPTION|@FILE ...]",
    "counts a stage's memory transactions, without a GPU",
    options,
    "\nRuns the kernels of one cycle on the emulator, and counts what the warps of a GPU would ask for at\n"
    "once, in sectors of 32 bytes; in shared memory in wavefronts, one a request if no banks conflict.\n"
    "Bytes used are those that lanes access of the sectors. L1 hits are sectors of loads that the same\n"
    "block loaded before; all others come from L2. DRAM must move each distinct byte at least once, if L2\n"
    "can't hold the grid.\n",
    run_traffic,
};
