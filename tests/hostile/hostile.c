/**
 * @file hostile.c
 * hostile PART COUNT SEED JOBS: runs so many cases of a part, JOBS at a time; without COUNT as many as a
 * thorough test takes, for "all" those of all parts. The same seed makes the same cases. The exit code is 1
 * if anything that must hold did not.
 */
#include "faults.h"
#include "lines.h"
#include "masks.h"
#include "option_files.h"
#include "signals.h"

static const struct {
    const char *name;
    void (*run)(Case *c);
    int count;
} parts[] = {
    {"lines",        lines_case,        10000},
    {"masks",        masks_case,        2000 },
    {"option_files", option_files_case, 1000 },
    {"faults",       faults_case,       16   },
    {"signals",      signals_case,      1000 },
};
enum { PARTS = sizeof parts / sizeof *parts };

/** Runs every jobs-th case, from `first` on, in a folder of its own; tells the counts. */
static void work(int part, int count, unsigned seed, int jobs, int first, int counts)
{
    char folder[32];
    snprintf(folder, sizeof folder, "worker_%d", first);
    Case c = {0};
    if (mkdir(folder, 0700) != 0 || chdir(folder) != 0)
        _exit(1);
    for (c.number = first; c.number < count; c.number += jobs) {
        random_state = (1000003u * seed + (unsigned)c.number) * 2654435761u;
        set_scene();
        const long complaints = c.complaints;
        parts[part].run(&c);
        if (c.complaints > complaints)
            printf("  (%s, seed %u, case %d)\n", parts[part].name, seed, c.number);
        fflush(stdout);
    }
    empty_scene();
    const int told = write(counts, &c, sizeof c) == sizeof c && chdir("..") == 0 && rmdir(folder) == 0;
    _exit(!told);
}

/** Runs a part; returns the number of complaints. */
static long run_part(int part, int count, unsigned seed, int jobs)
{
    int ends[2];
    Case all = {0}, c;
    fflush(stdout);
    if (pipe(ends) != 0)
        return 1;
    for (int n = 0; n < jobs; n++)
        if (fork() == 0)
            work(part, count, seed, jobs, n, ends[1]);
    close(ends[1]);
    while (read(ends[0], &c, sizeof c) == sizeof c) {
        all.calls += c.calls;
        all.refused += c.refused;
        all.complaints += c.complaints;
    }
    close(ends[0]);
    for (int n = 0, status; n < jobs; n++)
        all.complaints += wait(&status) < 0 || status != 0;
    printf("%s: %d cases, %ld calls, %ld of them refused, %ld complaints, seed %u\n", parts[part].name, count,
           all.calls, all.refused, all.complaints, seed);
    return all.complaints;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "all";
    const int count = argc > 2 ? atoi(argv[2]) : 0, jobs = argc > 4 ? atoi(argv[4]) : 2;
    const unsigned seed = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : (unsigned)time(NULL);
    long complaints = 0;
    int chosen = 0;
    for (int n = 0; n < PARTS; n++)
        if (strcmp(name, "all") == 0 || strcmp(name, parts[n].name) == 0) {
            complaints += run_part(n, count > 0 ? count : parts[n].count, seed, jobs > 0 ? jobs : 1);
            chosen++;
        }
    if (chosen == 0)
        printf("no part is called %s\n", name);
    return complaints > 0 || chosen == 0;
}
