#include "check_exercise.h"
#include "fence.h"
#include "simulation/simulation.h"

#include EXERCISE

#include "fenced_types.h"

static const Block shape = {32, 8};

/** A launch that no device takes: the program is to end. */
static void launch_what_is_refused(void)
{
    const dim3 too_large = {4096, 1, 1};
    Scenario s = small_flow("taylor_green", 16, 16);
    Simulation *solver = begin_simulation(&STAGE, &s, shape);
    solver_of(solver)->grid = solver_of(solver)->block = too_large;
    advance_simulation(solver, 1);
}

static void expect_index(size_t cells)
{
    const size_t cell = cells - 1, expected = 8 * cells + cell, got = at(cell, 8, cells);
    if (got != expected)
        wrong("population 8 of the last of %zu cells: expected place %zu, got %zu", cells, expected, got);
}

void check(void)
{
    const char *const all = "TODO(1) to TODO(5)";
    const int noticed =
        crashes(launch_what_is_refused); // first of all: a process with a GPU in use can't fork
    part(
        all,
        "the same bits in every order of the threads? LBM_THREAD_ORDER=reverse build/lbm_six_faults run ...");
    expect_no_race(&STAGE, "taylor_green", 16, 16, 2);
    part(all, "a grid of 32 x 32 cells, four whole blocks");
    expect_flow(&STAGE, "taylor_green", 32, 32, 3);
    part(all,
         "32 x 32 cells are right, 37 x 21 are not. If a thread leaves an array, a build with sanitizers "
         "names the line, and so does compute-sanitizer. If both are silent, each access is inside of an "
         "array, but perhaps to the wrong cell: which cell does thread number 37 compute?");
    expect_types_inside(37, 21, shape);
    expect_flow(&STAGE, "taylor_green", 37, 21, 3);
    expect_flow(&STAGE, "cavity", 37, 21, 10);
    part(all, "small grids are right, this one is not: what did the device say when it was asked to run the "
              "kernel? compute-sanitizer tells, and so does cudaGetLastError");
    expect_flow(&STAGE, "taylor_green", 1050, 250, 1);
    part(all, "now the device refused to run the kernel, and the program went on as if it had run");
    if (!noticed)
        wrong("blocks of 4096 threads, which no device takes, went unnoticed");
    part(all,
         "this grid is not there, and needs not be: the sanitizers see what the number of a place does in "
         "its type");
    expect_index((size_t)32768 * 32768);
}
