// More cells than an int counts: 120 GB of main memory, 41 GB of the GPU's, and some minutes.
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
        n = places[k].on_gpu && !stages[k]->refusal && stages[k]->lattice == &d2q9 &&
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

/** Number of populations that differ from those of a small channel, in the rows beside both walls. */
static int count_wrong(const Result *small, const Real *f)
{
    const int columns[COLUMNS] = {0, SIZE / 2, SIZE - 1}, height = small->scenario->height;
    int count = 0;
    for (int n = 0; n < 2 * ROWS * COLUMNS; n++) {
        const int row = n / COLUMNS % ROWS, top = n >= ROWS * COLUMNS;
        const size_t y = top ? SIZE - 1 - row : row, x = columns[n % COLUMNS];
        const Real *expected =
            small->f + DIRECTIONS * (top ? height - 1 - row : row) * small->scenario->width;
        for (int i = 0; i < DIRECTIONS; i++)
            count += !(f[DIRECTIONS * (y * SIZE + x) + i] == expected[i]);
    }
    return count;
}

TEST(slow_cells_beyond_2_to_the_31_are_like_any_other)
{
    const double cells = (double)SIZE * SIZE, bytes = cells * (DIRECTIONS * (sizeof(Real) + 2) + 1);
    const Stage *stage = leanest_stage();
    if (gpu_is_emulated || free_memory() < bytes || free_device_memory() < cells * stage->bytes_per_cell)
        SKIP("it takes a GPU, and 120 GB of main memory");
    EXPECT(cells > INT_MAX);
    Scenario s = channel(SIZE, SIZE), small = channel(4, 64);
    Result expected = run_flow(stage, &small, small_block, STEPS);
    Simulation *solver = begin_simulation(stage, &s, small_block);
    advance_simulation(solver, STEPS);
    Real *f = allocate(population_count(&s) * sizeof *f);
    read_populations(solver, 0, cell_count(&s), f);
    end_simulation(solver);
    EXPECT(expected.f[DIRECTIONS * 4 + 1] > 1e-6f);
    EXPECT(count_wrong(&expected, f) == 0);
    free(f);
    destroy_result(&expected);
    destroy_scenario(&small);
    destroy_scenario(&s);
}
