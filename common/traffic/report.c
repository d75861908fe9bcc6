#include "traffic/report.h"

#include "host/allocate.h"
#include "traffic/source_lines.h"

#include <stdlib.h>
#include <string.h>

const char *access_name(Access access)
{
    static const char *const names[] = {"load",        "store",        "atomic addition",
                                        "shared load", "shared store", "shared atomic addition"};
    return names[access];
}

static double ratio(uint64_t a, uint64_t b)
{
    return b > 0 ? (double)a / (double)b : 0.0;
}

static void add(Sums *to, const Sums *more)
{
    to->requests += more->requests;
    to->sectors += more->sectors;
    to->bytes += more->bytes;
    to->hits += more->hits;
    to->conflicts += more->conflicts;
}

Sums sum_of(const Kernel *kernel, Access access)
{
    Sums sums = {0};
    for (int n = 0; n < kernel->instruction_count; n++)
        if (kernel->instruction[n].access == access)
            add(&sums, &kernel->instruction[n].sums);
    return sums;
}

/* ---- lines ---- */

static int by_line(const void *a, const void *b)
{
    const LineSums *left = a, *right = b;
    int order = strcmp(left->file, right->file);
    order = order ? order : left->line - right->line;
    order = order ? order : (int)left->access - (int)right->access;
    return order ? order : (int)left->size - (int)right->size;
}

static const char *last_two_parts(const char *path)
{
    const char *part = last_part(path);
    while (part > path && (part == last_part(path) || part[-1] != '/'))
        part--;
    return part;
}

static LineSums line_of(const char *kernel, const Instruction *instruction, const SourceLine *source)
{
    LineSums line = {.kernel = kernel,
                     .line = source->line,
                     .access = instruction->access,
                     .size = instruction->size,
                     .sums = instruction->sums,
                     .sample = instruction->sample};
    snprintf(line.file, sizeof line.file, "%s", last_two_parts(source->file));
    line_text(source, line.text, sizeof line.text);
    return line;
}

LineSums *lines_of(const Kernel *kernel, int *count)
{
    const int instructions = kernel->instruction_count;
    const void **places = allocate((size_t)instructions * sizeof *places);
    SourceLine *source = allocate((size_t)instructions * sizeof *source);
    LineSums *lines = allocate((size_t)instructions * sizeof *lines);
    int used = 0;
    for (int n = 0; n < instructions; n++)
        places[n] = kernel->instruction[n].place;
    find_lines(places, instructions, source);
    for (int n = 0; n < instructions; n++)
        if (kernel->instruction[n].sums.requests > 0) // else it counts as part of others
            lines[used++] = line_of(kernel->name, &kernel->instruction[n], &source[n]);
    free(places);
    free(source);
    qsort(lines, (size_t)used, sizeof *lines, by_line);
    *count = 0;
    for (int n = 0; n < used; n++)
        if (n > 0 && by_line(&lines[*count - 1], &lines[n]) == 0) {
            add(&lines[*count - 1].sums, &lines[n].sums);
            keep_better(&lines[*count - 1].sample, &lines[n].sample);
        } else {
            lines[(*count)++] = lines[n];
        }
    return lines;
}

/* ---- for people ---- */

static void print_row(const char *name, Access access, const Sums *sums)
{
    char used[16] = "-", hits[16] = "-";
    if (!is_shared(access))
        snprintf(used, sizeof used, "%.1f", 100.0 * ratio(sums->bytes, SECTOR * sums->sectors));
    if (access == LOAD)
        snprintf(hits, sizeof hits, "%.1f", 100.0 * ratio(sums->hits, sums->sectors));
    printf("  %-28s %10llu %16.2f%12s%12s\n", name, (unsigned long long)sums->requests,
           ratio(sums->sectors, sums->requests), used, hits);
    if (is_atomic(access))
        printf("  %-28s %10llu\n", "  conflicts", (unsigned long long)sums->conflicts);
}

void print_kernel(const Kernel *kernel, const LineSums *lines, int count)
{
    char name[sizeof lines->file + 64];
    printf("\n%s, %d launch%s, %llu block%s\n", kernel->name, kernel->launches,
           kernel->launches > 1 ? "es" : "", (unsigned long long)kernel->blocks,
           kernel->blocks > 1 ? "s" : "");
    printf("  %-28s %10s %16s%12s%12s\n", "access", "requests", "sectors/request", "bytes used%",
           "L1 hits %");
    for (int access = LOAD; access < ACCESSES; access++) {
        const Sums sums = sum_of(kernel, (Access)access);
        if (sums.requests > 0)
            print_row(access_name((Access)access), (Access)access, &sums);
    }
    for (int n = 0; n < count; n++) {
        printf("%s  %s:%d  %s\n", n == 0 ? "\n" : "", lines[n].file, lines[n].line, lines[n].text);
        snprintf(name, sizeof name, "    %s of %u byte%s", access_name(lines[n].access), lines[n].size,
                 lines[n].size > 1 ? "s" : "");
        print_row(name, lines[n].access, &lines[n].sums);
    }
}

/* ---- for programs ---- */

/** Of a line, or of all lines of a kernel with that access if no file is named: only then DRAM is known. */
static void write_row(OutputFile *file, const Kernel *kernel, const LineSums *row)
{
    const Sums *sums = &row->sums;
    print(file, "%s,%d,%s,%d,%s,%u,%llu,%llu,%llu,%llu", kernel->name, kernel->launches, row->file, row->line,
          access_name(row->access), row->size, (unsigned long long)sums->requests,
          (unsigned long long)sums->sectors, (unsigned long long)sums->bytes, (unsigned long long)sums->hits);
    for (int n = LEAST; n <= (is_l2_simulated() ? EMPTY : LEAST); n++) {
        print(file, ",");
        if (*row->file == '\0' && row->access <= STORE)
            print(file, "%llu",
                  (unsigned long long)(row->access == LOAD ? kernel->dram[n].read : kernel->dram[n].written));
    }
    print(file, ",%llu\n", (unsigned long long)sums->conflicts);
}

void write_rows(OutputFile *file, const Recording *recording, int with_lines)
{
    print(
        file,
        "kernel,launches,file,line,access,bytes_each,requests,sectors,bytes_used,l1_hits,distinct_bytes%s,conflicts\n",
        is_l2_simulated() ? ",l2_kept_bytes,l2_empty_bytes" : "");
    for (int k = 0; k < recording->count; k++) {
        const Kernel *kernel = &recording->kernel[k];
        for (int access = LOAD; access < ACCESSES; access++) {
            const LineSums all = {.access = (Access)access, .sums = sum_of(kernel, (Access)access)};
            if (all.sums.requests > 0)
                write_row(file, kernel, &all);
        }
        int count = 0;
        LineSums *lines = with_lines ? lines_of(kernel, &count) : NULL;
        for (int n = 0; n < count; n++)
            write_row(file, kernel, &lines[n]);
        free(lines);
    }
}
