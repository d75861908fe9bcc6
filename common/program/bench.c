#include "gpu/device.h"
#include "host/allocate.h"
#include "host/fail.h"
#include "host/interrupt.h"
#include "host/standard_output.h"
#include "program/commands.h"
#include "program/measured_table.h"
#include "ranks/ranks.h"
#include "speed/speed.h"
#include "stage/refusal.h"
#include "stage/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_ON_EMULATOR = 512, CACHED_BELOW = 4096 };
enum { MOST_REPEATS = 1000, LARGEST_TOO_SMALL = 64 };

static const Sizes default_sizes = {
    8, {64, 128, 256, 512, 1024, 2048, 4096, 8192}
};

typedef struct {
    Sizes sizes; // cells along x; along y as many, or as many on each rank
    const Flow *flow;
    Block block;
    long repeat;
    int phases;
    int weak;
    char csv[PATH_SIZE];
} Settings;

/* ---- Options ---- */

static const Option options[] = {
    OPTION("--scenario", "S", flow_name, flow, "what flows; default poiseuille"),
    OPTION("--sizes", "N,...", size_list, sizes, "cells along x and y, walls included; default 64 to 8192"),
    OPTION("--block", "BXxBY", block_shape, block, "threads of a block on the GPU; default 32x8"),
    OPTION("--repeat", "N", positive_integer, repeat, "how often each case is timed; default 5"),
    OPTION("--weak", NULL, flag, weak, "weak scaling: so many rows on each rank, and not on all together"),
    OPTION("--phases", NULL, flag, phases, "time each step of a cycle separately"),
    OPTION("--csv", "F.csv", file_name, csv, "write the table for other programs"),
    {0},
};

static int height_of(const Settings *s, int size)
{
    return s->weak ? size * rank_count() : size;
}

static Parameters measured(const Settings *s, int size)
{
    return (Parameters){.width = size, .height = height_of(s, size), .tau = measured_tau};
}

/** Why stages[n] can't take the grid of a case; NULL if it can. */
static const char *refusal_at(const Settings *s, int n, int size)
{
    return stage_refusal(stages[n], size, height_of(s, size));
}

/** Refuses grids that none of the stages takes, with the reason of the first one. */
static void check_grids(const Settings *s, const int *chosen)
{
    int first = stage_count;
    for (int k = stage_count - 1; k >= 0; k--)
        for (int n = 0; n < s->sizes.count && chosen[k]; n++) {
            if (!refusal_at(s, k, s->sizes.size[n]))
                return;
            first = k;
        }
    check_grid(stages[first], s->sizes.size[0], height_of(s, s->sizes.size[0]));
}

/** Refuses what can't be measured before any time goes into the rest. Blocks cover a grid, or what a rank has
 * of it. */
static void check_settings(const Settings *s, const int *chosen, int gpu)
{
    if (s->repeat > MOST_REPEATS)
        fail(EXIT_USAGE, "--repeat %ld is too many: it takes up to %d", s->repeat, MOST_REPEATS);
    for (int n = 0; n < s->sizes.count; n++) {
        const int size = s->sizes.size[n];
        fix_scenario(s->flow, measured(s, size));
        if (size <= LARGEST_TOO_SMALL) { // larger ones have room for every flow
            Scenario tried = create_scenario(s->flow, measured(s, size));
            for (int k = 0; k < stage_count; k++) // some have too few rows for the ranks
                if (chosen[k] && places[k].on_ranks && !refusal_at(s, k, size))
                    stages[k]->destroy(stages[k]->create(&tried, s->block));
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
    int *chosen;   /**< whether stages[n] takes part */
    int measured;  /**< cases that have their rows */
    double *mlups; /**< mean speed of stages[n] at this size; NaN: not measured */
} Bench;

/** Cells of the grid that one rank holds of a stage, about. */
static double cells_held(const Bench *b, int n, int size)
{
    return (double)size * height_of(b->settings, size) / (places[n].on_ranks ? rank_count() : 1);
}

/** Main memory, of all ranks of the host, and device memory that a case needs at most, in bytes. */
static double host_need(const Bench *b, int n, double cells)
{
    const double populations = b->settings->flow->lattice->directions * sizeof(Real),
                 staging = 2.0 * populations;
    const double result = populations + sizeof(Moments) + sizeof(Cell);
    const double on_device = gpu_is_emulated ? stages[n]->bytes_per_cell : 0.0;
    const int processes = places[n].on_ranks ? ranks_on_host() : 1;
    return processes * cells *
           (result + (places[n].on_gpu ? staging + on_device : stages[n]->bytes_per_cell));
}

static double device_need(int n, double cells)
{
    return places[n].on_gpu ? cells * stages[n]->bytes_per_cell : 0.0;
}

/** Whether a stage takes the grid, and the machine has the memory for it; says so if not. */
static int fits(Bench *b, int n, int size)
{
    const char *refusal = refusal_at(b->settings, n, size);
    if (refusal) {
        note(&b->record, "left out", "%s at %d: %s", stages[n]->name, size, refusal);
        return 0;
    }
    const double gib = 1024.0 * 1024.0 * 1024.0, cells = cells_held(b, n, size);
    const double host = host_need(b, n, cells), device = device_need(n, cells);
    const double host_free = (double)free_memory();
    const double device_free = places[n].on_gpu ? (double)free_device_memory() : 0.0;
    if (host <= host_free && device <= device_free)
        return 1;
    note(&b->record, "left out",
         "%s at %d: needs %.1f GiB of main memory (%.1f free) and %.1f GiB on the device (%.1f free)",
         stages[n]->name, size, host / gib, host_free / gib, device / gib, device_free / gib);
    return 0;
}

/* ---- The table of speeds ---- */

static void print_speed_columns(Bench *b)
{
    printf("\n%-14s %5s %9s %9s %9s %9s %5s %7s %7s %8s %8s %8s %8s\n", "stage", "size", "steps", "MLUPS",
           "min", "max", "CV %", "GB/s", "% copy", "x before", "x first", "setup ms", "read ms");
    add_text(&b->record, "stage,size,block_x,block_y,steps,repeats,mlups_mean,mlups_min,mlups_max,"
                         "cv_percent,gbs,copy_percent,over_before,over_first,setup_ms,read_ms\n");
}

static void end_row(Record *record)
{
    printf("\n");
    add_text(record, "\n");
    flush_standard_output();
}

/** What stands first in each row: the case. */
static void print_case(Bench *b, int n, int size, int steps)
{
    printf("%-14s %5d %9d", stages[n]->name, size, steps);
    add_text(&b->record, "%s,%d,", stages[n]->name, size);
    if (places[n].on_gpu)
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

/** GB/s that the memory of a stage is seen to copy, by as many threads as the stage has, or ranks with a
 * device each.
 */
static double memory_copy(const Bench *b, int n)
{
    const HostCopy *host = &b->record.host_copy;
    if (places[n].on_ranks)
        return b->record.device_copy * rank_count();
    return places[n].on_gpu ? b->record.device_copy : places[n].threaded ? host->all_cores : host->in_place;
}

static void print_speed(Bench *b, int n, int size, const Measurement *m)
{
    Record *record = &b->record;
    const Statistics *speed = &m->mlups;
    const int follows = places[n].follows;
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
    putchar(size < CACHED_BELOW ? '*' : ' ');
    print_number(record, 8, 2, c.over_before);
    print_number(record, 8, 2, c.over_first);
    print_number(record, 8, 1, 1e3 * m->setup);
    print_number(record, 8, 1, 1e3 * m->read_back);
    end_row(record);
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

/** One row for each step of a cycle. */
static void print_phases(Bench *b, int n, int size, int cycles, const Statistics *step)
{
    Record *record = &b->record;
    for (int phase = 0; phase < stages[n]->cycle; phase++) {
        print_case(b, n, size, cycles * stages[n]->cycle);
        printf(" %5d", phase);
        add_text(record, ",%d", phase);
        print_number(record, 11, 2, 1e6 * step[phase].mean);
        print_number(record, 5, 2, 100.0 * step[phase].variation);
        print_number(record, 10, 1,
                     mlups((double)size * height_of(b->settings, size), 1.0, step[phase].mean));
        print_number(record, 8, 3, step[phase].mean / step[0].mean);
        end_row(record);
    }
    b->measured++;
}

/* ---- The command ---- */

/**
 * Measures one stage at the size of the scenario; the result has room for its populations. A case during
 * which a signal asks for an end gets no row.
 */
static void bench_case(Bench *b, int n, const Scenario *s, Result *r)
{
    if (b->settings->phases) {
        Statistics *step = allocate((size_t)stages[n]->cycle * sizeof *step);
        const int cycles = measure_phases(stages[n], s, b->settings->block, &b->effort, step, r);
        if (!stop_code())
            print_phases(b, n, s->width, cycles, step);
        free(step);
    } else {
        const Measurement m = measure(stages[n], s, b->settings->block, &b->effort, r);
        b->mlups[n] = m.mlups.mean;
        if (!stop_code())
            print_speed(b, n, s->width, &m);
    }
}

static void bench_size(Bench *b, int size)
{
    int *fit = allocate((size_t)stage_count * sizeof *fit), whole = 0;
    for (int n = 0; n < stage_count; n++) {
        b->mlups[n] = NAN;
        fit[n] = b->chosen[n] && fits(b, n, size);
        whole |= fit[n] && !places[n].on_ranks; // one process holds the whole grid
    }
    const Scenario bare = fix_scenario(b->settings->flow, measured(b->settings, size));
    Scenario s = whole ? create_scenario(bare.flow, measured(b->settings, size)) : bare;
    Result r = whole ? create_result(&s) : (Result){0}, none = {.scenario = &bare};
    for (int n = 0; n < stage_count; n++)
        if (fit[n] && !stop_code())
            bench_case(b, n, places[n].on_ranks ? &bare : &s, places[n].on_ranks ? &none : &r);
    destroy_result(&r);
    destroy_scenario(&s);
    free(fit);
}

static void begin_bench(Bench *b, const Words *words, int gpu, int cpu)
{
    const Settings *s = b->settings;
    int on_ranks = 0;
    for (int n = 0; n < stage_count; n++)
        on_ranks |= b->chosen[n] && places[n].on_ranks;
    begin_record(&b->record, s->csv, words, gpu, cpu);
    note(&b->record, "flow", "%s at tau %g, N x N cells%s", s->flow->name, measured_tau,
         s->weak ? " on each rank" : "");
    if (gpu)
        note(&b->record, "block", "%u x %u threads", s->block.x, s->block.y);
    if (on_ranks)
        note(&b->record, "ranks", "%d, MPI library: %s", rank_count(), mpi_library());
    note(&b->record, "repeats", "%d of at least %g s of solver time%s, after a warm-up that is not counted",
         b->effort.repeats, b->effort.shortest, getenv("LBM_REPEAT_MS") ? " (LBM_REPEAT_MS)" : "");
    if (s->phases)
        note(&b->record, "step", "its time includes its launch: on small grids that is most of it");
    else
        note(&b->record, "* % copy", "below %d x %d the grid may live in a cache: it says little there",
             CACHED_BELOW, CACHED_BELOW);
    if (s->phases)
        print_phase_columns(b);
    else
        print_speed_columns(b);
    flush_standard_output();
}

/** Marks the stages named, or all; returns how many of them run on the GPU, or on the CPU. */
static void choose_stages(Bench *b, int count, char **names, int *gpu, int *cpu)
{
    b->chosen = allocate((size_t)stage_count * sizeof *b->chosen);
    b->mlups = allocate((size_t)stage_count * sizeof *b->mlups);
    for (int n = 0; n < stage_count; n++)
        b->chosen[n] = count == 0;
    for (int i = 0; i < count; i++) {
        const Stage *stage = parse_stage(names[i]);
        for (int n = 0; n < stage_count; n++)
            b->chosen[n] |= stages[n] == stage;
    }
    for (int n = 0; n < stage_count; n++)
        *(places[n].on_gpu ? gpu : cpu) |= b->chosen[n];
}

/** How long a repeat is to last; LBM_REPEAT_MS is for tests, to which speeds don't matter. */
static Effort choose_effort(long repeats)
{
    Effort effort = {.repeats = (int)repeats, .shortest = 0.3, .longest = 0.5};
    const char *text = getenv("LBM_REPEAT_MS");
    if (text) {
        char *end;
        const long ms = strtol(text, &end, 10);
        if (end == text || *end != '\0' || ms < 1 || ms > 1000)
            fail(EXIT_USAGE, "LBM_REPEAT_MS is \"%s\"; it takes an integer from 1 to 1000", text);
        effort.shortest = 1e-3 * (double)ms;
        effort.longest = 2e-3 * (double)ms;
    }
    return effort;
}

static int bench(int count, char **arguments)
{
    const Words words = join_words("bench", count, arguments);
    Settings settings = {.flow = find_flow("poiseuille"), .block = default_block, .repeat = 5};
    count = parse_options(options, &settings, count, arguments);
    Bench b = {.settings = &settings};
    int gpu = 0, cpu = 0;
    choose_stages(&b, count, arguments, &gpu, &cpu);
    const int fewer = settings.sizes.count == 0 && gpu && gpu_is_emulated;
    if (settings.sizes.count == 0)
        settings.sizes = default_sizes;
    while (fewer && settings.sizes.size[settings.sizes.count - 1] > LARGEST_ON_EMULATOR)
        settings.sizes.count--;
    check_settings(&settings, b.chosen, gpu);

    b.effort = choose_effort(settings.repeat);
    begin_bench(&b, &words, gpu, cpu);
    for (int n = 0; n < settings.sizes.count && !stop_code(); n++)
        bench_size(&b, settings.sizes.size[n]);
    if (fewer)
        printf("sizes above %d only where --sizes names them: the emulator is slow\n", LARGEST_ON_EMULATOR);
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
    "\nWithout a name it takes all stages. Only the time in which a solver advances counts.\n"
    "  GB/s       the main-memory traffic that the speed needs at least: bytes/update times MLUPS\n"
    "  % copy     its share of what the memory was seen to copy: the device's, or for a stage that runs on\n"
    "             the CPU the host's, in place, by one thread or by as many as the stage has\n"
    "  x before   times as fast as the stage that it follows, at the same size; x first: as the first one\n"
    "  CV         coefficient of variation of the repeats: standard deviation over mean\n"
    "Ctrl-C (SIGINT, SIGTERM, SIGHUP) ends it at the next repeat, keeps the rows so far, and gives\n"
    "exit code 128 + the signal's number; a second SIGINT or SIGTERM ends the program at once.\n",
    bench,
};
