#include "check_exercise.h"
#include "device_memory.h"
#include "fence.h"
#include "gpu/counter.h"
#include "gpu/device.h"
#include "gpu/packet.h"
#include "run_flow.h"
#include "simulation/simulation.h"

/** What the student's file has done so far; counted on the emulator only. */
static struct {
    long arrivals;     /**< of threads at the counter */
    long polls;        /**< of the counter, since a thread let others run */
    int launches;      /**< cooperative ones */
    int launches_else; /**< others */
} seen;

#ifndef __CUDACC__
enum { MANY_POLLS = 1000000 };

__attribute__((unused)) static unsigned watched_load(const unsigned *counter)
{
    if (++seen.polls > MANY_POLLS)
        wrong("a thread polls the counter %d times in a row, and no other thread can run", MANY_POLLS);
    return load_arrivals(counter);
}

__attribute__((unused)) static cudaError_t watched_together(dim3 grid, dim3 block, size_t shared_bytes,
                                                            void (*thread)(const void *),
                                                            const void *arguments)
{
    seen.launches++;
    return launch_together(grid, block, shared_bytes, thread, arguments);
}

__attribute__((unused)) static cudaError_t watched_blocks(dim3 grid, dim3 block, size_t shared_bytes,
                                                          void (*thread)(const void *), const void *arguments)
{
    seen.launches_else++;
    return launch_blocks(grid, block, shared_bytes, thread, arguments);
}

#define arrive(counter)        (seen.arrivals++, arrive(counter))
#define load_arrivals(counter) watched_load(counter)
#define launch_together        watched_together
#define launch_blocks          watched_blocks
#undef keep_waiting
#define keep_waiting(wait) (seen.polls = 0, poll_again(BARRIER("keep_waiting"), &(wait)->polls))
#endif

#include EXERCISE

static const char *const orders[] = {"forward", "reverse", "shuffle:1", "shuffle:2"};
enum { ORDERS = 4, BARRIERS = 20 };

/** Each thread notes how many barriers it has come to, and then looks for one that has come to fewer. */
static __global__ void pass_barriers(int *noted, int *missed, unsigned *arrivals, int *timed_out)
{
    const int threads = gridDim.x * blockDim.x, here = blockIdx.x * blockDim.x + threadIdx.x;
    for (int n = 1; n <= BARRIERS; n++) {
        noted[here] = n;
        wait_for_all_blocks(arrivals, n, timed_out);
        for (int t = 0; t < threads && missed[2 * here] == 0; t++)
            if (((volatile int *)noted)[t] < n) {
                missed[2 * here] = n;
                missed[2 * here + 1] = t;
            }
    }
}
BLOCK_KERNEL(pass_barriers, int *, int *, unsigned *, int *);

static void *zeros(size_t bytes)
{
    void *memory;
    CHECK(cudaMalloc(&memory, bytes));
    CHECK(cudaMemset(memory, 0, bytes));
    return memory;
}

static void expect_barrier(const char *order, unsigned blocks, unsigned threads)
{
    const dim3 grid = {blocks, 1, 1}, block = {threads, 1, 1};
    const size_t all = blocks * threads, bytes = all * sizeof(int);
    int *missed = (int *)allocate(2 * bytes), *noted = (int *)zeros(bytes),
        *on_device = (int *)zeros(2 * bytes), *timed_out = (int *)zeros(sizeof(int));
    unsigned *arrivals = (unsigned *)zeros(sizeof(unsigned));
    setenv("LBM_THREAD_ORDER", order, 1);
    seen.arrivals = 0;
    LAUNCH_COOPERATIVE(pass_barriers, grid, block, 0, noted, on_device, arrivals, timed_out);
    unsetenv("LBM_THREAD_ORDER");
    check_waits(timed_out);
    CHECK(cudaMemcpy(missed, on_device, 2 * bytes, cudaMemcpyDeviceToHost));
    for (unsigned t = 0; t < all; t++)
        if (missed[2 * t] > 0)
            wrong("after barrier %d thread %u of block %u goes on, and thread %u of block %u has not come to "
                  "it\n"
                  "  (%u blocks of %u threads, in the order \"%s\")",
                  missed[2 * t], t % threads, t / threads, missed[2 * t + 1] % threads,
                  missed[2 * t + 1] / threads, blocks, threads, order);
    CHECK(cudaFree(arrivals));
    CHECK(cudaFree(timed_out));
    CHECK(cudaFree(on_device));
    CHECK(cudaFree(noted));
    free(missed);
    if (gpu_is_emulated && seen.arrivals != (long)blocks * BARRIERS)
        wrong("%ld arrivals at %d barriers of %u blocks: expected %u, one of each block at each barrier",
              seen.arrivals, BARRIERS, blocks, blocks * BARRIERS);
}

/** Some steps in one launch of this shape, which the check launches itself. */
static void expect_kernel(const char *flow, unsigned blocks, unsigned threads, int steps)
{
    const dim3 grid = {blocks, 1, 1}, block = {threads, 1, 1};
    Scenario s = small_flow(flow, 23, 17);
    Snapshot expected = run_flow(&stage_00_cpu_aos, &s, small_block, steps), r = create_snapshot(&s);
    char shape[64];
    for (int k = 0; k < ORDERS; k++) {
        Simulation *solver = begin_simulation(&STAGE, &s, small_block);
        CHECK(cudaMemset(solver_of(solver)->arrivals, 0, sizeof(unsigned)));
        setenv("LBM_THREAD_ORDER", orders[k], 1);
        LAUNCH_COOPERATIVE(advance_grid, grid, block, 0, s.physics, solver_of(solver)->type,
                           solver_of(solver)->f, solver_of(solver)->next, steps, solver_of(solver)->arrivals,
                           solver_of(solver)->timed_out);
        unsetenv("LBM_THREAD_ORDER");
        check_waits(solver_of(solver)->timed_out);
        if (steps % 2 == 1) {
            float *swap = solver_of(solver)->f;
            solver_of(solver)->f = solver_of(solver)->next;
            solver_of(solver)->next = swap;
        }
        read_now(&STAGE, solver, steps, &r);
        end_simulation(solver);
        snprintf(shape, sizeof shape, ", %u blocks of %u threads, in the order \"%s\"", blocks, threads,
                 orders[k]);
        expect_populations(&r, &expected, 1e-6, shape);
    }
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    destroy_scenario(&s);
}

static void expect_shape(int width, int height)
{
    Scenario s = small_flow("taylor_green", width, height);
    Simulation *solver = begin_simulation(&STAGE, &s, small_block);
    const dim3 grid = solver_of(solver)->grid, block = solver_of(solver)->block;
    const long processors = gpu_multiprocessors(), most = GPU_MOST_THREADS(advance_grid);
    const long cells = (long)cell_count(&s), warps = (cells + WARP - 1) / WARP;
    if (grid.y * grid.z * block.y * block.z != 1)
        wrong("a grid of %u x %u x %u blocks of %u x %u x %u threads: expected all along x", grid.x, grid.y,
              grid.z, block.x, block.y, block.z);
    LAUNCH_COOPERATIVE(advance_grid, grid, block, 0, s.physics, solver_of(solver)->type, solver_of(solver)->f,
                       solver_of(solver)->next, 0, solver_of(solver)->arrivals, solver_of(solver)->timed_out);
    end_simulation(solver);
    destroy_scenario(&s);
    if (grid.x < (warps < processors ? warps : processors))
        wrong("%u blocks for %d x %d cells: expected %ld at least, as %ld multiprocessors can have a warp of "
              "cells each",
              grid.x, width, height, warps < processors ? warps : processors, processors);
    if (4 * (long)(grid.x * block.x) < 3 * (cells < processors * most ? cells : processors * most))
        wrong("%u blocks of %u threads for %d x %d cells: expected more, as %ld multiprocessors can have %ld "
              "threads each",
              grid.x, block.x, width, height, processors, most);
}

static void expect_launches(int steps)
{
    Scenario s = small_flow("poiseuille", 40, 4);
    Snapshot expected = run_flow(&stage_00_cpu_aos, &s, small_block, steps);
    seen.launches = seen.launches_else = 0;
    Snapshot r = run_flow(&STAGE, &s, small_block, steps);
    expect_populations(&r, &expected, 1e-6, "");
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    destroy_scenario(&s);
    const int enough = (steps + LAUNCH_STEPS - 1) / LAUNCH_STEPS;
    if (gpu_is_emulated && (seen.launches != enough || seen.launches_else != 0))
        wrong("%d cooperative launches and %d others for %d steps: expected %d and 0", seen.launches,
              seen.launches_else, steps, enough);
}

void check(void)
{
    part("TODO(1)",
         "which threads have come when one thread of their block arrives? And which go on when that "
         "thread has seen all arrivals? How many arrivals are there after the second barrier, and may a "
         "block that is fast have arrived again? A thread that polls asks keep_waiting each time");
    for (int k = 0; k < ORDERS; k++) {
        expect_barrier(orders[k], 5, 48);
        expect_barrier(orders[k], 16, 7);
        expect_barrier(orders[k], 1, 64);
    }
    part("TODO(2)", "one step in one launch: which cells does a thread update, if there are more cells than "
                    "threads?");
    expect_kernel("taylor_green", 1, 64, 1);
    expect_kernel("taylor_green", 5, 32, 1);
    part("TODO(2)", "more threads than cells: a block without a cell must come to the barrier, too");
    expect_kernel("taylor_green", 16, 64, 1);
    part("TODO(2)",
         "several steps: all blocks have ended a step before one begins the next, which reads what "
         "this one wrote");
    expect_kernel("taylor_green", 5, 32, 2);
    expect_kernel("cavity", 16, 64, 3);
    expect_kernel("cylinder", 7, 31, 12);
    part("TODO(3)",
         "the blocks of a cooperative launch must be resident together: a multiprocessor holds one "
         "block for sure. And as many multiprocessors as possible are to have work");
    expect_shape(400, 300);
    expect_shape(23, 14);
    expect_shape(5, 3);
    part("TODO(4)",
         "one launch makes up to LAUNCH_STEPS steps; where are the populations after an odd number of "
         "steps, and what is left in the counter when the next launch begins?");
    expect_flow(&STAGE, "taylor_green", 37, 21, 6);
    Scenario s = small_flow("cavity", 37, 21);
    setenv("LBM_THREAD_ORDER", "shuffle:1", 1);
    expect_same(&STAGE, &s, 15, 5);
    expect_same(&STAGE, &s, 12, 4);
    unsetenv("LBM_THREAD_ORDER");
    destroy_scenario(&s);
    expect_launches(2 * LAUNCH_STEPS + 7);
    expect_no_race(&STAGE, "cavity", 37, 21, 4);
}
