/**
 * @file timeline.cu
 * When the kernels, copies and messages of a stage on ranks begin and end, on rank 0, in a few steps. The
 * build defines SOLVER, the stage's file with marks (timeline.h). Usage, by mpirun: timeline_STAGE SIZE
 * >OUT.csv
 */
#include SOLVER

#include "host/fail.h"
#include "ranks/ranks.h"
#include "simulation/simulation.h"

#include <ctype.h>
#include <stdio.h>

enum { WARM_UP = 20, SHOWN = 3 }; // steps

static int parse_size(const char *text)
{
    char *end;
    const long size = strtol(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end != '\0' || size < 8 || size > 65536)
        fail(EXIT_USAGE, "\"%s\" is no size; it takes cells along x and y, 8 to 65536", text);
    return (int)size;
}

/** Microseconds from one event to another. */
static double between(cudaEvent_t begin, cudaEvent_t end)
{
    float ms;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    return 1e3 * ms;
}

int main(int argc, char **argv)
{
    const Stage *const known[] = {&STAGE};
    begin_ranks(known, 1);
    if (argc != 2)
        fail(EXIT_USAGE, "%d arguments; it takes one, the cells along x and y", argc - 1);
    const int size = parse_size(argv[1]);
    Parameters parameters = {0};
    parameters.width = parameters.height = size;
    const Scenario s = resolve_scenario(find_flow("taylor_green"), parameters);
    const Block block = {32, 8};
    Simulation *solver = begin_simulation(&STAGE, &s, block);
    advance_simulation(solver, WARM_UP);
    wait_for_simulation(solver);

    cudaEvent_t start;
    CHECK(cudaEventCreateWithFlags(&start, 0));
    CHECK(cudaEventRecord(start, 0));
    CHECK(cudaDeviceSynchronize());
    const double host_start = now();
    is_marking = 1;
    advance_simulation(solver, SHOWN);
    is_marking = 0;
    wait_for_simulation(solver);
    printf("lane,what,begin_us,end_us\n");
    for (int n = 0; n < mark_count; n++) {
        const Mark *m = &marks[n];
        printf("%s,%s,%.1f,%.1f\n", m->lane, m->what,
               m->begin ? between(start, m->begin) : 1e6 * (m->host_begin - host_start),
               m->begin ? between(start, m->end) : 1e6 * (m->host_end - host_start));
    }
    end_simulation(solver);
    return EXIT_GOOD;
}
