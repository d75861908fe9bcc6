// streams COUNT: how fast all threads that OpenMP takes read and write COUNT arrays in place, side by side as
// a stage does its populations, without its arithmetic. Prints GB/s of the fastest of several passes: by the
// CPU time of the process, which means something with one thread only, and by the clock on the wall.
#include "host/allocate.h"
#include "host/clock.h"
#include "host/fail.h"
#include "host/independent.h"
#include "host/standard_output.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PASSES = 10, MOST = 9, ROW = 4096, ROWS = 4096, CHUNK = 64 };

// Whole pages, and 7 cache lines more, as in the stages.
static const size_t array_size = (size_t)ROW * ROWS + 7 * 16;

static int parse_count(const char *text)
{
    char *end;
    const long count = strtol(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end != '\0' || count < 1 || count > MOST)
        fail(EXIT_USAGE, "COUNT is \"%s\"; it takes an integer from 1 to %d", text, MOST);
    return (int)count;
}

// Rows are shared among the threads as in stage 13; the first pass gives each thread the pages that it works
// on.
static void pass(float *arrays, int count)
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < ROW; x += CHUNK)
            for (int i = 0; i < count; i++) {
                float *chunk = arrays + i * array_size + (size_t)y * ROW + x;
                INDEPENDENT
                for (int n = 0; n < CHUNK; n++)
                    chunk[n] += 1.0f;
            }
}

int main(int argument_count, char **arguments)
{
    if (argument_count != 2)
        fail(EXIT_USAGE, "usage: streams COUNT");
    const int count = parse_count(arguments[1]);
    float *arrays = (float *)allocate(count * array_size * sizeof *arrays);
    pass(arrays, count);
    const double gigabytes = 2.0 * count * ROW * ROWS * sizeof *arrays / 1e9;
    double best_cpu = 0.0, best_wall = 0.0;
    for (int n = 0; n < PASSES; n++) {
        const double cpu = cpu_time(), wall = now();
        pass(arrays, count);
        best_wall = fmax(best_wall, gigabytes / (now() - wall));
        best_cpu = fmax(best_cpu, gigabytes / (cpu_time() - cpu));
    }
    if (!(arrays[0] == PASSES + 1.0f))
        fail(EXIT_MACHINE, "a stream holds %g after %d passes", arrays[0], PASSES + 1);
    printf("%.1f %.1f\n", best_cpu, best_wall);
    free(arrays);
    check_standard_output();
    return EXIT_GOOD;
}
