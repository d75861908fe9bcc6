#include "check_exercise.h"
#include "cluster_store.h"
#include "run_flow.h"
#include "simulation/simulation.h"

/** What the threads of the student's kernel have called since this was set to 0; counted on the CPU only. */
static struct {
    int syncs;  /**< cluster_sync */
    int stores; /**< store_cluster */
} seen;

#ifndef __CUDACC__
#undef cluster_sync
#define cluster_sync()            (seen.syncs++, wait_for_cluster(BARRIER("cluster_sync")))
#define store_cluster(to, number) (seen.stores++, store_cluster(to, number))
#endif

#include EXERCISE

static const char *const orders[] = {"forward",   "reverse",   "shuffle:1", "shuffle:2",
                                     "shuffle:3", "shuffle:4", "shuffle:5"};

/** Ends the check at the first order of the threads in which a flow is wrong after 12 steps, in three parts.
 */
static void expect_in_all_orders(const char *flow, int width, int height)
{
    static const int parts[] = {3, 1, 8};
    Scenario s = small_flow(flow, width, height);
    Snapshot expected = run_flow(&stage_00_cpu_aos, &s, small_block, 12), r = create_snapshot(&s);
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        setenv("LBM_THREAD_ORDER", orders[k], 1);
        Simulation *solver = begin_simulation(&STAGE, &s, small_block);
        for (int n = 0; n < 3; n++)
            advance_simulation(solver, parts[n]);
        read_snapshot(&r, solver);
        expect_snapshot(&STAGE, &r, &expected);
        end_simulation(solver);
    }
    unsetenv("LBM_THREAD_ORDER");
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    destroy_scenario(&s);
}

/** How often the threads call cluster_sync in so many steps. */
static int count_syncs(int steps)
{
    Scenario s = small_flow("taylor_green", 21, 37);
    Simulation *solver = begin_simulation(&STAGE, &s, small_block);
    memset(&seen, 0, sizeof seen);
    advance_simulation(solver, steps);
    end_simulation(solver);
    destroy_scenario(&s);
    return seen.syncs;
}

/** Ends the check if all blocks wait for each other in a step, or store what nobody counts. */
static void expect_neighbours_only(void)
{
    const int few = count_syncs(2), many = count_syncs(9);
    if (many > few)
        wrong("2 steps: %d calls of cluster_sync, by all threads; 9 steps: %d; expected as many", few, many);
    if (seen.stores > 0)
        wrong("%d stores by store_cluster; expected 0, since no cluster_sync makes them visible",
              seen.stores);
}

void check(void)
{
    part("TODO(1)", "a grid without walls: what ends the phase of a step, which store counts in which phase, "
                    "and which thread knows of it when it loads? Does each wait call keep_waiting?");
    expect_in_all_orders("taylor_green", 21, 37);
    expect_in_all_orders("taylor_green", 33, 16);
    part("TODO(1)", "right, but slow: two neighbours are enough to go on. What tells that their stores have "
                    "arrived?");
    expect_neighbours_only();
    part("TODO(2)", "walls in the outermost row of a block: which of its cells send, and how many bytes does "
                    "its neighbour expect?");
    expect_in_all_orders("channel_cylinder", 46, 33);
    expect_in_all_orders("cavity", 21, 37);
    part("TODO(2)", "a row a block, and a block of walls: it sends nothing, so nobody waits for it. What may "
                    "the blocks beside it send, if it comes late?");
    expect_in_all_orders("cavity", 5, 9);
    expect_in_all_orders("poiseuille", 7, 16);
}
