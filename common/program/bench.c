#include "gpu/device.h"
#include "host/allocate.h"
#include "host/fail.h"
#include "host/interrupt.h"
#include "host/standard_output.h"
#include "program/commands.h"
#include "program/measured_table.h"
#include "ranks/ranks.h"
#include "simulation/simulation.h"
#include "speed/power_on_ranks.h"
#include "speed/speed.h"
#include "stage/stages.h"
#include "stage/unsupported.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REPEATS = 1000, LARGEST_TOO_SMALL = 64 };

/** What depends on the dimensions of a flow. */
typedef struct {
    Sizes sizes;             /**< where none are named */
    int largest_on_emulator; /**< of those */
    int cached_below;        /**< size from which on a grid is larger than a cache */
    const char *grid;        /**< as text */
} Extent;

static const Extent plane = {
    {8, {64, 128, 256, 512, 1024, 2048, 4096, 8192}},
    512, 4096, "N x N"
};
static const Extent space = {
    {5, {32, 64, 128, 256, 512}},
    64, 256, "N x N x N"
};

typedef struct {
    Sizes sizes; // cells along x, and along the other axes; with `weak`, as many layers on each rank
    const Flow *flow;
    Block block;
    long repeat;
    int phases;
    int weak;
    int energy;
    char csv[PATH_SIZE];
} Settings;

/* ---- Options ---- */

static const Option options[] = {
    OPTION("--scenario", "S", flow_name, flow, "what flows; default: the first flow that the stages take"),
    OPTION("--sizes", "N,...", size_list, sizes,
           "cells a side, walls included; default 64 to 8192, in space 32 to 512"),
    OPTION("--block", "BXxBY", block_shape, block, "threads of a block on the GPU; default 32x8"),
    OPTION("--repeat", "N", positive_integer, repeat, "how often each case is timed; default 5"),
    OPTION("--weak", NULL, flag, weak, "weak scaling: so many layers on each rank, and not on all together"),
    OPTION("--phases", NULL, flag, phases, "time each step of a cycle separately"),
    OPTION("--energy", NULL, flag, energy, "power, energy of an update and clock, over repeats of seconds"),
    OPTION("--csv", "F.csv", file_name, csv, "write the table for other programs"),
    {0},
};

static int is_plane(const Settings *s)
{
    return s->flow->lattice->dimensions == 2;
}

static const Extent *extent(const Settings *s)
{
    return is_plane(s) ? &plane : &space;
}

/** Cells along y, and along z in space; the last of them is cut into slabs. */
static Parameters measured(const Settings *s, int size)
{
    const int layers = s->weak ? size * rank_count() : size;
    return (Parameters){.width = size,
                        .height = is_plane(s) ? layers : size,
                        .depth = is_plane(s) ? 1 : layers,
                        .tau = measured_tau};
}

static double cells_at(const Settings *s, int size)
{
    const Parameters p = measured(s, size);
    return (double)p.width * p.height * p.depth;
}

/** Why stages[n] can't take the grid of a case; NULL if it can. */
static const char *reason_at(const Settings *s, int n, int size)
{
    return stage_reason(stages[n], size, measured(s, size).height);
}

/** Refuses grids that none of the stages takes, with the reason of the first one. */
static void check_grids(const Settings *s, const int *chosen)
{
    int first = stage_count;
    for (int k = stage_count - 1; k >= 0; k--)
        for (int n = 0; n < s->sizes.count && chosen[k]; n++) {
            if (!reason_at(s, k, s->sizes.size[n]))
                return;
            first = k;
        }
    check_grid(stages[first], s->sizes.size[0], measured(s, s->sizes.size[0]).height);
}

/** Refuses what can't be measured. Blocks cover a grid, or what a rank has of it. */
static void check_settings(const Settings *s, const int *chosen, int gpu)
{
    if (s->repeat > MOST_REPEATS)
        fail(EXIT_USAGE, "--repeat %ld is too many: it takes up to %d", s->repeat, MOST_REPEATS);
    if (s->energy && s->phases)
        fail(EXIT_USAGE, "--energy with --phases: a step is too short for a sensor; it takes one of the two");
    for (int n = 0; n < s->sizes.count; n++) {
        const int size = s->sizes.size[n];
        Scenario tried = resolve_scenario(s->flow, measured(s, size));
        if (size <= LARGEST_TOO_SMALL) { // larger ones have room for every flow
            create_cells(&tried);
            for (int k = 0; k < stage_count; k++) // some have too few rows for the ranks
                if (chosen[k] && stage_info[k].on_ranks && !reason_at(s, k, size))
                    end_simulation(begin_simulation(stages[k], &tried, s->block));
            destroy_scenario(&tried);
        }
        if (gpu)
            check_block(size, size, s->block);
    }
    check_grids(s, chosen);
}

/* ---- A bench under way ---- */

typedef struct {
    const Settings *settings;
    Effort effort;
    Record record;
    int *chosen;                  /**< whether stages[n] takes part */
    int measured;                 /**< cases that have their rows */
    double *mlups;                /**< mean speed of stages[n] at this size; NaN: not measured */
    const PowerSensor *sensor[2]; /**< of the CPU, and of the GPU; NULL: none */
} Bench;

/** Whether a stage takes the grid, and the machine has the memory for it; says so if not. */
static int fits(Bench *b, int n, const Scenario *s)
{
    const int size = s->width;
    const char *reason = reason_at(b->settings, n, size);
    if (reason) {
        note(&b->record, "left out", "%s at %d: %s", stages[n]->name, size, reason);
        return 0;
    }
    const int on_ranks = stage_info[n].on_ranks;
    const double gib = 1024.0 * 1024.0 * 1024.0,
                 cells = (double)cell_count(s) / (on_ranks ? rank_count() : 1);
    const double host = cells * host_bytes_per_cell(stages[n], s) * (on_ranks ? ranks_on_host() : 1);
    const double device = cells * device_bytes_per_cell(stages[n], s);
    const double host_free = (double)free_memory();
    const double device_free = stage_info[n].on_gpu ? (double)free_device_memory() : 0.0;
    if (host <= host_free && device <= device_free)
        return 1;
    note(&b->record, "left out",
         "%s at %d: needs %.1f GiB of main memory (%.1f free) and %.1f GiB on the device (%.1f free)",
         stages[n]->name, size, host / gib, host_free / gib, device / gib, device_free / gib);
    return 0;
}

/* ---- The table of speeds ---- */

static void end_row(Record *record)
{
    printf("\n");
    add_text(record, "\n");
    flush_standard_output();
}

static void print_speed_columns(Bench *b)
{
    printf("\n%-14s %5s %9s %9s %9s %9s %5s %7s %7s %8s %8s %8s %8s", "stage", "size", "steps", "MLUPS",
           "min", "max", "CV %", "GB/s", "% copy", "x before", "x first", "setup ms", "read ms");
    add_text(&b->record, "stage,size,block_x,block_y,steps,repeats,mlups_mean,mlups_min,mlups_max,"
                         "cv_percent,gbs,copy_percent,over_before,over_first,setup_ms,read_ms");
    if (b->settings->energy) {
        printf(" %8s %8s %9s %9s %8s %8s  %s", "W count", "W mean", "nJ count", "nJ mean", "MHz min",
               "median", "throttle");
        add_text(&b->record,
                 ",counted_w,sampled_w,counted_nj,sampled_nj,clock_min_mhz,clock_median_mhz,throttle");
    }
    end_row(&b->record);
}

static void print_case(Bench *b, int n, int size, int steps)
{
    printf("%-14s %5d %9d", stages[n]->name, size, steps);
    add_text(&b->record, "%s,%d,", stages[n]->name, size);
    if (stage_info[n].on_gpu)
        add_text(&b->record, "%u,%u", b->settings->block.x, b->settings->block.y);
    else
        add_text(&b->record, ",");
    add_text(&b->record, ",%d,%d", steps, b->effort.repeats);
}

/** A number on the screen and in the file, if it is known. */
static void print_number(Record *record, int width, int decimals, double number)
{
    if (isnan(number)) {
        printf(" %*s", width, "-");
        add_text(record, ",");
    } else {
        printf(" %*.*f", width, decimals, number);
        add_text(record, ",%.9g", number);
    }
}

/** GB/s that the memory of a stage copies, by as many threads or ranks as the stage has. */
static double memory_copy(const Bench *b, int n)
{
    const HostCopy *host = &b->record.host_copy;
    if (stage_info[n].on_ranks)
        return b->record.device_copy * rank_count();
    return stage_info[n].on_gpu     ? b->record.device_copy
           : stage_info[n].threaded ? host->all_cores
                                    : host->in_place;
}

/** What an update takes is power times its nanoseconds. */
static void print_power(Record *record, const Power *p, double nanoseconds)
{
    print_number(record, 8, 1, p->counted);
    print_number(record, 8, 1, p->sampled);
    print_number(record, 9, 3, p->counted * nanoseconds);
    print_number(record, 9, 3, p->sampled * nanoseconds);
    print_number(record, 8, 0, p->least_clock);
    print_number(record, 8, 0, p->median_clock);
    printf("  %s", *p->throttle ? p->throttle : "-");
    add_text(record, ",%s", p->throttle);
}

static void print_speed(Bench *b, int n, int size, const Measurement *m)
{
    Record *record = &b->record;
    const Statistics *speed = &m->mlups;
    const int follows = stage_info[n].follows;
    const double copy = memory_copy(b, n);
    const Comparison c = compare(stages[n], speed->mean, copy, follows < 0 ? NAN : b->mlups[follows],
                                 n > 0 ? b->mlups[0] : NAN);

    print_case(b, n, size, m->steps);
    print_number(record, 9, 1, speed->mean);
    print_number(record, 9, 1, speed->min);
    print_number(record, 9, 1, speed->max);
    print_number(record, 5, 2, 100.0 * speed->variation);
    print_number(record, 7, 1, c.bandwidth);
    print_number(record, 6, 1, 100.0 * c.share);
    putchar(size < extent(b->settings)->cached_below ? '*' : ' ');
    print_number(record, 8, 2, c.over_before);
    print_number(record, 8, 2, c.over_first);
    print_number(record, 8, 1, 1e3 * m->setup);
    print_number(record, 8, 1, 1e3 * m->look);
    if (b->settings->energy)
        print_power(record, &m->power, 1e9 * m->update);
    end_row(record);
    if (b->settings->energy && *m->power.doubts)
        note(record, "energy", "%s at %d: dashes, since the sensor can't be right: %s", stages[n]->name, size,
             m->power.doubts);
    if (b->settings->energy && m->power.too_short)
        note(record, "energy",
             "%s at %d: no energy counted: in so short a time the counter changed less than twice",
             stages[n]->name, size);
    b->measured++;
}

/* ---- The table of phases ---- */

static void print_phase_columns(Bench *b)
{
    printf("\n%-14s %5s %9s %5s %11s %5s %10s %8s\n", "stage", "size", "steps", "phase", "step us", "CV %",
           "MLUPS", "/ first");
    add_text(&b->record,
             "stage,size,block_x,block_y,steps,repeats,phase,step_us,cv_percent,mlups,over_first_phase\n");
}

static void print_phases(Bench *b, int n, int size, int cycles, const Statistics *step)
{
    Record *record = &b->record;
    for (int phase = 0; phase < stages[n]->cycle; phase++) {
        print_case(b, n, size, cycles * stages[n]->cycle);
        printf(" %5d", phase);
        add_text(record, ",%d", phase);
        print_number(record, 11, 2, 1e6 * step[phase].mean);
        print_number(record, 5, 2, 100.0 * step[phase].variation);
        print_number(record, 10, 1, mlups(cells_at(b->settings, size), 1.0, step[phase].mean));
        print_number(record, 8, 3, step[phase].mean / step[0].mean);
        end_row(record);
    }
    b->measured++;
}

/* ---- The command ---- */

/** Measures one stage at the size of the scenario. After a signal asks for an end there is no row. */
static void bench_case(Bench *b, int n, const Scenario *s)
{
    if (b->settings->phases) {
        Statistics *step = allocate((size_t)stages[n]->cycle * sizeof *step);
        const int cycles = measure_phases(stages[n], s, b->settings->block, &b->effort, step);
        if (!stop_code())
            print_phases(b, n, s->width, cycles, step);
        free(step);
    } else {
        b->effort.sensor = b->sensor[stage_info[n].on_gpu];
        b->effort.all_ranks = b->settings->energy && stage_info[n].on_ranks;
        const Measurement m = measure(stages[n], s, b->settings->block, &b->effort);
        b->mlups[n] = m.mlups.mean;
        if (!stop_code())
            print_speed(b, n, s->width, &m);
    }
}

static void bench_size(Bench *b, int size)
{
    const Scenario bare = resolve_scenario(b->settings->flow, measured(b->settings, size));
    int *fit = allocate((size_t)stage_count * sizeof *fit), whole = 0;
    for (int n = 0; n < stage_count; n++) {
        b->mlups[n] = NAN;
        fit[n] = b->chosen[n] && fits(b, n, &bare);
        whole |= fit[n] && !stage_info[n].on_ranks; // one process holds the whole grid
    }
    Scenario s = bare;
    if (whole)
        create_cells(&s);
    for (int n = 0; n < stage_count; n++)
        if (fit[n] && !stop_code())
            bench_case(b, n, stage_info[n].on_ranks ? &bare : &s);
    destroy_scenario(&s);
    free(fit);
}

static void open_sensors(Bench *b, int gpu, int cpu, int on_ranks)
{
    b->sensor[0] = cpu ? power_sensor(0) : NULL;
    b->sensor[1] = gpu ? power_sensor(1) : NULL;
    if (on_ranks)
        open_sensors_on_ranks();
    if (on_ranks && rank_count() > 1) {
        for (int n = 0; n < rank_count(); n++)
            note(&b->record, "energy", "rank %d: %s", n, rank_sensor_text(n));
        note(&b->record, "all GPUs",
             "W and nJ are sums, MHz min and median over the samples of all; a shared GPU counts once");
    } else if (gpu)
        note(&b->record, "energy", "%s", sensor_text(b->sensor[1]));
    if (cpu)
        note(&b->record, "energy", "%s", sensor_text(b->sensor[0]));
}

static void leave_out_refused(Bench *b)
{
    for (int n = 0; n < stage_count; n++) {
        const char *reason = b->chosen[n] ? device_reason(stages[n]) : NULL;
        if (reason) {
            note(&b->record, "left out", "%s: %s", stages[n]->name, reason);
            b->chosen[n] = 0;
        }
    }
}

static void begin_bench(Bench *b, const Words *words, int gpu, int cpu)
{
    const Settings *s = b->settings;
    int on_ranks = 0;
    for (int n = 0; n < stage_count; n++)
        on_ranks |= b->chosen[n] && stage_info[n].on_ranks;
    begin_record(&b->record, s->csv, words, gpu, cpu);
    note(&b->record, "flow", "%s at tau %g, %s cells%s", s->flow->name, measured_tau, extent(s)->grid,
         s->weak ? " on each rank" : "");
    if (gpu)
        note(&b->record, "block", "%u x %u threads", s->block.x, s->block.y);
    if (on_ranks)
        note(&b->record, "ranks", "%d, MPI library: %s, messages through the %s", rank_count(), mpi_library(),
             mpi_takes_device_memory() ? "device" : "host");
    note(&b->record, "repeats", "%d of at least %g s of solver time%s, after a warm-up that is not counted",
         b->effort.repeats, b->effort.shortest, getenv("LBM_REPEAT_MS") ? " (LBM_REPEAT_MS)" : "");
    if (s->energy)
        open_sensors(b, gpu, cpu, on_ranks);
    if (s->phases)
        note(&b->record, "step", "its time includes its launch: on small grids that is most of it");
    else
        note(&b->record, "* % copy", "below N = %d the grid may live in a cache: it says little there",
             extent(s)->cached_below);
    leave_out_refused(b);
    if (s->phases)
        print_phase_columns(b);
    else
        print_speed_columns(b);
    flush_standard_output();
}

/** Marks the stages named, or all that take the flow, which is that of the first one unless it is named; and
 * whether some run on the GPU, and on the CPU. */
static void choose_stages(Bench *b, Settings *s, int count, char **names, int *gpu, int *cpu)
{
    b->chosen = allocate((size_t)stage_count * sizeof *b->chosen);
    b->mlups = allocate((size_t)stage_count * sizeof *b->mlups);
    if (!s->flow)
        s->flow = first_flow(count ? parse_stage(names[0]) : stages[0]);
    for (int n = 0; n < stage_count; n++)
        b->chosen[n] = count == 0 && takes_flow(stages[n], s->flow);
    for (int i = 0; i < count; i++) {
        const Stage *stage = parse_stage(names[i]);
        check_lattice(stage, s->flow);
        for (int n = 0; n < stage_count; n++)
            b->chosen[n] |= stages[n] == stage;
    }
    for (int n = 0; n < stage_count; n++)
        *(stage_info[n].on_gpu ? gpu : cpu) |= b->chosen[n];
}

static Effort choose_effort(const Settings *s)
{
    Effort effort = {.repeats = (int)s->repeat, .shortest = 0.3, .longest = 0.5};
    if (s->energy) // a sensor's power is the mean of up to a second: of the warm-up's end, at first
        effort.shortest = effort.longest = 1.0;
    if (getenv("LBM_REPEAT_MS")) {
        effort.shortest = shortest_repeat(effort.shortest);
        effort.longest = 2.0 * effort.shortest;
    }
    return effort;
}

static int bench(int count, char **arguments)
{
    const Words words = join_words("bench", count, arguments);
    Settings settings = {.block = default_block, .repeat = 5};
    count = parse_options(options, &settings, count, arguments);
    Bench b = {.settings = &settings};
    int gpu = 0, cpu = 0;
    choose_stages(&b, &settings, count, arguments, &gpu, &cpu);
    const int fewer = settings.sizes.count == 0 && gpu && gpu_is_emulated;
    if (settings.sizes.count == 0)
        settings.sizes = extent(&settings)->sizes;
    while (fewer && settings.sizes.size[settings.sizes.count - 1] > extent(&settings)->largest_on_emulator)
        settings.sizes.count--;
    check_settings(&settings, b.chosen, gpu);

    b.effort = choose_effort(&settings);
    begin_bench(&b, &words, gpu, cpu);
    for (int n = 0; n < settings.sizes.count && !stop_code(); n++)
        bench_size(&b, settings.sizes.size[n]);
    if (fewer)
        printf("sizes above %d only where --sizes names them: the emulator is slow\n",
               extent(&settings)->largest_on_emulator);
    if (b.measured == 0 && !stop_code())
        fail(EXIT_MACHINE, "nothing was measured: no case that its stage takes fits in memory");
    end_record(&b.record, b.measured);
    free(b.chosen);
    free(b.mlups);
    return stop_code();
}

const Command bench_command = {
    "bench",
    "[STAGE ...] [OPTION|@FILE ...]",
    "measures the speed of stages",
    options,
    "\nWithout a name it takes all stages that take the flow. Only the time in which a solver advances "
    "counts.\n"
    "  GB/s       the main-memory traffic that the speed needs at least: bytes/update times MLUPS\n"
    "  % copy     its share of what the memory was seen to copy: the device's, or for a stage that runs on\n"
    "             the CPU the host's, in place, by one thread or by as many as the stage has\n"
    "  x before   times as fast as the stage that it follows, at the same size; x first: as the first one\n"
    "  CV         coefficient of variation of the repeats: standard deviation over mean\n"
    "--energy makes a repeat a second long, and adds what the driver of the GPU (NVML) or the kernel (RAPL)\n"
    "tells, for the whole device or all packages of the CPU, also of what other programs draw there:\n"
    "  W count    power by the counter of energy; nJ count: of an update\n"
    "  W mean     mean of the samples of power, which many GPUs average over a second; nJ mean: of an "
    "update\n"
    "  MHz        clock of the GPU's multiprocessors: the lowest sample, and the median\n"
    "  throttle   why the GPU held its clock down, in any sample\n"
    "For a stage on ranks, W and nJ are sums over the GPUs of all ranks, MHz min and median are over the\n"
    "samples of all these GPUs, and a GPU that ranks share counts once. What can't be read, of any, or "
    "can't\n"
    "be true is a dash.\n"
    "Ctrl-C (SIGINT, SIGTERM, SIGHUP) ends it at the next repeat, keeps the rows so far, and gives\n"
    "exit code 128 + the signal's number; a second SIGINT or SIGTERM ends the program at once.\n",
    bench,
};
