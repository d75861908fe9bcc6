// More cells than an int counts: 41 GB of a GPU's memory.
#include "gpu/device.h"
#include "host/allocate.h"
#include "lattice/d2q9.h"
#include "run_flow.h"
#include "simulation/simulation.h"

#include "check.h"

#include <limits.h>
#include <stdlib.h>

enum { SIZE = 46400, ROWS = 6, STEPS = 5, COLUMNS = 3 };

/** The stage that holds the fewest bytes a cell, of those that take any grid. */
static const Stage *leanest_stage(void)
{
    int n = 0;
    for (int k = 1; k < stage_count; k++)
        n = stage_info[k].on_gpu && !stages[k]->unsupported && stages[k]->lattice == &d2q9 &&
                    stages[k]->bytes_per_cell < stages[n]->bytes_per_cell
                ? k
                : n;
    return stages[n];
}

static Scenario channel(int width, int height)
{
    Scenario s =
        create_scenario(find_flow("poiseuille"), (Parameters){.width = width, .height = height, .tau = 0.8});
    s.physics.force_x = 1e-4f;
    return s;
}

/** Number of populations that differ from those of a small channel, in the rows beside a wall. */
static int count_wrong(const Snapshot *small, const Simulation *simulation, int top)
{
    const int columns[COLUMNS] = {0, SIZE / 2, SIZE - 1}, height = small->scenario->height;
    const size_t cells = (size_t)ROWS * SIZE;
    Real *f = allocate(cells * DIRECTIONS * sizeof *f);
    int count = 0;
    read_populations(simulation, top ? (size_t)SIZE * SIZE - cells : 0, cells, f);
    for (int n = 0; n < ROWS * COLUMNS; n++) {
        const int row = n / COLUMNS;
        const Real *given = f + DIRECTIONS * ((size_t)row * SIZE + columns[n % COLUMNS]);
        const Real *expected =
            small->f + DIRECTIONS * (top ? height - ROWS + row : row) * small->scenario->width;
        for (int i = 0; i < DIRECTIONS; i++)
            count += !(given[i] == expected[i]);
    }
    free(f);
    return count;
}

TEST(slow_cells_beyond_2_to_the_31_are_like_any_other)
{
    const double cells = (double)SIZE * SIZE;
    const Stage *stage = leanest_stage();
    if (gpu_is_emulated || free_device_memory() < cells * stage->bytes_per_cell)
        SKIP("it takes a GPU with 41 GB of memory");
    EXPECT(cells > INT_MAX);
    Scenario s = channel(SIZE, SIZE), small = channel(4, 64);
    Snapshot expected = run_flow(stage, &small, small_block, STEPS);
    Simulation *solver = begin_simulation(stage, &s, small_block);
    advance_simulation(solver, STEPS);
    EXPECT(expected.f[DIRECTIONS * 4 + 1] > 1e-6f);
    EXPECT(count_wrong(&expected, solver, 0) + count_wrong(&expected, solver, 1) == 0);
    end_simulation(solver);
    destroy_snapshot(&expected);
    destroy_scenario(&small);
    destroy_scenario(&s);
}
