#include "program/traffic.h"

#include "gpu/device.h"
#include "host/allocate.h"
#include "host/fail.h"
#include "simulation/simulation.h"
#include "stage/stages.h"
#include "traffic/recorder.h"
#include "traffic/report.h"
#include "traffic/source_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** All kernels that a stage uses are launched in one cycle; the first one may differ. */
static const Recording *record_cycle(const TrafficSettings *t, const Scenario *s)
{
    Simulation *solver = begin_simulation(t->stage, s, t->block);
    simulate_l2((size_t)t->l2 << 20);
    if (t->l2)
        begin_recording(); // the cache that is kept fills up
    advance_simulation(solver, t->stage->cycle);
    begin_recording();
    advance_simulation(solver, t->stage->cycle);
    const Recording *recording = end_recording();
    end_simulation(solver);
    return recording;
}

/** Bytes of sectors that an update loads from L2 and stores there. */
static void find_l2_bytes(const Recording *recording, double updates, double *loaded, double *stored)
{
    *loaded = *stored = 0.0;
    for (int n = 0; n < recording->count; n++) {
        const Sums loads = sum_of(&recording->kernel[n], LOAD);
        *loaded += SECTOR * (double)(loads.sectors - loads.hits) / updates;
        *stored += SECTOR *
                   (double)(sum_of(&recording->kernel[n], STORE).sectors +
                            sum_of(&recording->kernel[n], ATOMIC).sectors) /
                   updates;
    }
}

static void find_dram_bytes(const Recording *recording, int kind_of_l2, double updates, double moved[2])
{
    moved[0] = moved[1] = 0.0;
    for (int n = 0; n < recording->count; n++) {
        moved[0] += (double)recording->kernel[n].dram[kind_of_l2].read / updates;
        moved[1] += (double)recording->kernel[n].dram[kind_of_l2].written / updates;
    }
}

static void print_l2(const TrafficSettings *t, const Recording *recording, double updates)
{
    double kept[2], empty[2];
    find_dram_bytes(recording, KEPT, updates, kept);
    find_dram_bytes(recording, EMPTY, updates, empty);
    printf("  of DRAM, kept %9.2f %9.2f  (L2, %ld MiB, keeps what the last launch left)\n", kept[0], kept[1],
           t->l2);
    printf("  of DRAM, empty%9.2f %9.2f  (L2 is empty before each launch, as for a profiler)\n", empty[0],
           empty[1]);
}

static void print_size_of_l2(const TrafficSettings *t)
{
    const int in_space = t->stage->lattice->dimensions == 3;
    const int side = largest_side(t->device->l2 * (1 << 20), t->stage->bytes_per_cell, in_space ? 3 : 2);
    printf(" (%g MiB hold at most %dx%d", t->device->l2, side, side);
    if (in_space)
        printf("x%d", side);
    printf(" cells)");
}

static void print_limit(const TrafficSettings *t, const Recording *recording, double updates)
{
    double loaded, stored, least[2];
    find_l2_bytes(recording, updates, &loaded, &stored);
    find_dram_bytes(recording, LEAST, updates, least);
    printf("\nbytes an update     loaded    stored\n  of L2         %9.2f %9.2f\n", loaded, stored);
    if (t->l2)
        print_l2(t, recording, updates);
    printf("  of DRAM, least%9.2f %9.2f", least[0], least[1]);
    if (keeps_grid_on_chip(t->stage)) { // elsewhere a launch that loads and stores it has thousands of steps
        printf("  (in a launch of one step)\n");
        return;
    }
    printf("  (%s states %.4g in all)\n", t->stage->name, t->stage->bytes_per_update);
    printf("limit     %.1f GLUPS at %g GB/s, where the grid is too large for L2",
           t->bandwidth / (least[0] + least[1]), t->bandwidth);
    if (*t->device->name)
        print_size_of_l2(t);
    printf("\n");
}

static void write_csv(const TrafficSettings *t, const Scenario *s, const Recording *recording)
{
    OutputFile file;
    char size[SIZE_TEXT];
    begin_file(&file, t->csv);
    print(&file, "# stage: %s\n# flow: %s, %s cells\n# block: %u x %u threads\n# steps: %d\n", t->stage->name,
          s->flow->name, describe_size(s, size), t->block.x, t->block.y, t->stage->cycle);
    if (*t->device->name)
        print(&file, "# limits: of %s\n", t->device->product);
    write_rows(&file, recording, t->lines);
    finish_file(&file);
}

/* ---- the picture ---- */

/** The lines of all kernels. Sets `count`; the caller frees them. */
static LineSums *all_lines(const Recording *recording, int *count)
{
    LineSums *all = NULL;
    *count = 0;
    for (int n = 0; n < recording->count; n++) {
        int more = 0;
        LineSums *lines = lines_of(&recording->kernel[n], &more);
        all = reallocate(all, (size_t)(*count + more) * sizeof *all);
        memcpy(all + *count, lines, (size_t)more * sizeof *all);
        *count += more;
        free(lines);
    }
    return all;
}

static int ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), of_end = strlen(end);
    return length >= of_end && strcmp(text + length - of_end, end) == 0;
}

static int is_named(const LineSums *line, const LineName *name)
{
    const size_t length = strlen(line->file), of_name = strlen(name->file);
    if (line->line != name->number || !ends_with(line->file, *name->file ? name->file : ".cu"))
        return 0;
    return of_name == 0 || of_name == length || line->file[length - of_name - 1] == '/';
}

static LineName costliest(const LineSums *lines, int count)
{
    const LineSums *most = lines;
    for (int n = 1; n < count; n++)
        if (lines[n].sums.sectors > most->sums.sectors)
            most = &lines[n];
    LineName name = {.number = most->line};
    snprintf(name.file, sizeof name.file, "%s", most->file);
    return name;
}

NORETURN static void refuse_line(const LineName *name, const LineSums *lines, int count)
{
    char names[4096] = "", where[sizeof lines->file + 16];
    for (int n = 0; n < count; n++) {
        int before = 0;
        while (before < n &&
               (lines[before].line != lines[n].line || strcmp(lines[before].file, lines[n].file) != 0))
            before++;
        snprintf(where, sizeof where, "%s:%d", last_part(lines[n].file), lines[n].line);
        if (before == n)
            append_name(names, sizeof names, where);
    }
    fail(EXIT_USAGE, "--line %s%s%ld: no warp accesses memory there; lines with accesses are %s", name->file,
         *name->file ? ":" : "", name->number, names);
}

/** Moves a line to those that are drawn, that with most sectors of each kind of access; returns how many. */
static int add_access(LineSums *drawn, int count, LineSums *line)
{
    int n = 0;
    while (n < count && (drawn[n].access != line->access || drawn[n].size != line->size))
        n++;
    if (n < count && line->sums.sectors <= drawn[n].sums.sectors)
        return count;
    const LineSums replaced = drawn[n];
    drawn[n] = *line;
    *line = replaced;
    return n < count ? count : count + 1;
}

static void draw_line(const TrafficSettings *t, const Recording *recording)
{
    int count = 0, drawn = 0;
    LineSums *lines = all_lines(recording, &count);
    const LineName name = t->line.number ? t->line : costliest(lines, count);
    for (int n = 0; n < count; n++)
        if (is_named(&lines[n], &name))
            drawn = add_access(lines, drawn, &lines[n]);
    if (drawn == 0)
        refuse_line(&name, lines, count);
    draw_requests(t->svg, lines, drawn);
    printf("picture   %s: %s:%d\n", t->svg, lines[0].file, lines[0].line);
    free(lines);
}

static void record_traffic(const TrafficSettings *t)
{
    if (t->lines || *t->svg)
        require_addr2line();
    prepare_recorder();
    Scenario s = create_scenario(t->flow, t->parameters);
    check_block(s.width, s.height, t->block);
    printf("stage     %s: %s\n", t->stage->name, t->stage->summary);
    char size[SIZE_TEXT];
    describe_size(&s, size);
    printf("flow      %s, %s cells at tau %g\n", s.flow->name, size, s.tau);
    printf("block     %u x %u threads\n", t->block.x, t->block.y);
    if (*t->device->name)
        printf("device    %s: compute capability %d.%d, %d multiprocessors\n", t->device->product,
               t->device->capability / 10, t->device->capability % 10, t->device->multiprocessors);
    printf("recorded  %d step%s\n", t->stage->cycle, t->stage->cycle > 1 ? "s" : "");
    const Recording *recording = record_cycle(t, &s);
    if (*t->svg)
        draw_line(t, recording);
    for (int n = 0; n < recording->count; n++) {
        int count = 0;
        LineSums *lines = t->lines ? lines_of(&recording->kernel[n], &count) : NULL;
        print_kernel(&recording->kernel[n], lines, count);
        free(lines);
    }
    print_limit(t, recording, (double)cell_count(&s) * t->stage->cycle);
    if (*t->csv)
        write_csv(t, &s, recording);
    destroy_scenario(&s);
}

int run_traffic(int count, char **arguments)
{
    const TrafficSettings settings = parse_traffic(count, arguments);
    record_traffic(&settings);
    return EXIT_GOOD;
}
