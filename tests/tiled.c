// The solver of exercise `tiling`, whose blocks share a tile; and the same without the barrier between writing the
// tile and reading it.
#include "host/allocate.h"
#include "simulation/simulation.h"
#include "stage/stage.h"

#include "check.h"

#include <stdlib.h>

extern const Stage tiled, tiled_without_barrier, stage_02_soa;

enum { STEPS = 11 };

static size_t bytes_of(const Scenario *scenario)
{
    return 9 * cell_count(scenario) * sizeof(float);
}

/** The populations after some steps with the threads in an order; the caller frees them. */
static float *populations(const Stage *stage, const Scenario *scenario, const char *order, int steps)
{
    const Block block = {8, 4};
    float *f = allocate(bytes_of(scenario));
    setenv("LBM_THREAD_ORDER", order, 1);
    Simulation *solver = begin_simulation(stage, scenario, block);
    advance_simulation(solver, steps);
    read_populations(solver, 0, cell_count(scenario), f);
    end_simulation(solver);
    return f;
}

/** Whether a stage makes of a flow, in an order, what 02_soa makes of it, bit by bit. */
static int is_right(const Stage *stage, const Scenario *scenario, const char *order)
{
    float *f = populations(stage, scenario, order, STEPS),
          *expected = populations(&stage_02_soa, scenario, "forward", STEPS);
    const int same = memcmp(f, expected, bytes_of(scenario)) == 0;
    if (!same)
        printf("%s, threads in the order \"%s\": not what 02_soa makes of it\n", scenario->flow->name, order);
    free(f);
    free(expected);
    return same;
}

static Scenario small_flow(const char *name)
{
    return create_scenario(find_flow(name), (Parameters){.width = 37, .height = 53, .tau = 0.6});
}

TEST(a_tile_gives_the_same_in_all_orders)
{
    const char *const flows[] = {"poiseuille", "cavity", "taylor_green", "cylinder", "channel_cylinder"};
    for (int n = 0; n < 5; n++) {
        Scenario scenario = small_flow(flows[n]);
        EXPECT(is_right(&tiled, &scenario, "forward"));
        EXPECT(is_right(&tiled, &scenario, "reverse"));
        EXPECT(is_right(&tiled, &scenario, "shuffle"));
        destroy_scenario(&scenario);
    }
}

TEST(the_orders_find_a_missing_barrier)
{
    Scenario scenario = small_flow("poiseuille");
    float *forward = populations(&tiled_without_barrier, &scenario, "forward", 1); // later all is NaN
    float *reverse = populations(&tiled_without_barrier, &scenario, "reverse", 1);
    EXPECT(memcmp(forward, reverse, bytes_of(&scenario)) != 0);
    EXPECT(!is_right(&tiled_without_barrier, &scenario, "shuffle"));
    free(forward);
    free(reverse);
    destroy_scenario(&scenario);
}
