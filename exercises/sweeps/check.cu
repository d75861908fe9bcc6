#include "check_exercise.h"
#include "hard_grids.h"
#include "regularize.h"
#include "run_flow.h"
#include "simulation/simulation.h"

#include EXERCISE

/** Ends the check at the first population that is wrong, of cells so far above the first row of their chunk
 * and so far inside their strip. */
static void compare(const Scenario *s, const Real *got, const Real *expected, int steps, int rows_away,
                    int columns_away)
{
    for (size_t n = 0; n < DIRECTIONS * cell_count(s); n++) {
        const int cell = (int)(n / DIRECTIONS), x = cell % s->width, y = cell / s->width;
        const int column = x % TILE_COLUMNS, row = y % ROWS;
        const int last = row == ROWS - 1 || y == s->height - 1; // the row above it is a first one
        if (is_wall(s->type[cell]) || row < rows_away || (last && rows_away > 0) || column < columns_away ||
            column >= TILE_COLUMNS - columns_away)
            continue;
        if (!(fabs(got[n] - expected[n]) <= 1e-6))
            wrong("first wrong population: cell x=%d y=%d, direction %s: expected %.4g, got %.4g\n"
                  "  (%s, %d x %d, after step %d; column %d of the %d of its strip, row %d of its chunk)",
                  x, y, direction_name(n % DIRECTIONS), expected[n], got[n], s->flow->name, s->width,
                  s->height, steps, column, TILE_COLUMNS, row);
    }
}

static void expect_right(const Scenario *s, int steps, int rows_away, int columns_away)
{
    Snapshot r = create_snapshot(s), expected = run_plainly(s, steps);
    Simulation *solver = begin_simulation(&STAGE, s, small_block);
    advance_simulation(solver, steps);
    read_snapshot(&r, solver);
    end_simulation(solver);
    compare(s, r.f, expected.f, steps, rows_away, columns_away);
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
}

static Scenario fluid(int height)
{
    return small_flow("taylor_green", 3 * TILE_COLUMNS, height);
}

/** The moments of all cells in an array of the device; the caller frees them. */
static float *copy_moments(const Scenario *s, const float *device)
{
    const size_t bytes = MOMENTS * cell_count(s) * sizeof(float);
    float *m = (float *)allocate(bytes);
    CHECK(cudaMemcpy(m, device, bytes, cudaMemcpyDeviceToHost));
    return m;
}

/** After one sweep the other grid holds what the sweep began with; after several, what the last one did. */
static void expect_one_sweep(void)
{
    Scenario s = fluid(40);
    Simulation *solver = begin_simulation(&STAGE, &s, small_block);
    float *first = copy_moments(&s, solver_of(solver)->f);
    advance_simulation(solver, 1 + STEPS);
    float *before = copy_moments(&s, solver_of(solver)->next);
    if (memcmp(first, before, MOMENTS * cell_count(&s) * sizeof *first) != 0)
        wrong("`advance` takes more than one sweep for the %d steps after the first one", STEPS);
    free(before);
    free(first);
    end_simulation(solver);
    destroy_scenario(&s);
}

void check(void)
{
    const int height = ROWS + 22; // two chunks, of which the upper one is low
    Scenario box = fluid(height), walls = create_maze(3 * TILE_COLUMNS, height, 3);
    part("TODO(1) to TODO(3)",
         "steps that are made one at a time, by the other kernel, were right before you began: "
         "there `steps` is 1, in the same functions");
    expect_right(&box, STEPS, 0, 0);
    expect_right(&walls, STEPS, 0, 0);
    part("TODO(1) to TODO(3)", "`several_steps` is to make five steps, or more, with numbers that are "
                               "fetched once, and `advance` is to "
                               "launch it wherever so many steps are left, as it did before you began");
    if (STEPS < 5)
        wrong("STEPS is %d: expected 5, or more", STEPS);
    expect_one_sweep();
    part("TODO(1)",
         "five steps in one sweep, far from the ends of strips and chunks: every pipeline level keeps its "
         "own rows, and hands on what it has ended");
    expect_right(&box, STEPS + 1, STEPS, STEPS);
    part("TODO(1)", "without walls it is right: which row's links does a pipeline level need where a row "
                    "begins, and where one ends?");
    expect_right(&walls, STEPS + 1, STEPS, STEPS);

    part("TODO(2)",
         "the first rows of a chunk: how far below it must a warp begin, so that five steps later they "
         "are right? The row and its number y go together");
    expect_right(&box, STEPS + 1, 0, STEPS);
    expect_right(&walls, STEPS + 1, 0, STEPS);

    part("TODO(3)",
         "the columns from the border of its strip are wrong, the others are right: how many does a "
         "strip lose at each side, and which ones are left?");
    expect_right(&box, STEPS + 1, 0, 0);
    expect_right(&walls, STEPS + 1, 0, 0);
    part("TODO(3)", "right, but slow: a strip loses one column at each side with each step, and no more");
    if (TILE_COLUMNS < LANES * COLUMNS - 2 * STEPS)
        wrong("a strip owns %d columns: expected %d", TILE_COLUMNS, LANES * COLUMNS - 2 * STEPS);

    part("TODO(1) to TODO(3)",
         "several sweeps, and grids that are narrower than a strip, or lower than its halo");
    expect_right(&walls, 4 * STEPS + 3, 0, 0);
    for (int width = 1; width < TILE_COLUMNS; width += 5)
        for (int low = 1; low <= 4; low += 3) {
            Scenario s = create_maze(width, low, 2);
            expect_right(&s, 2 * STEPS + 3, 0, 0);
            destroy_scenario(&s);
        }
    part("TODO(1) to TODO(3)", "a warp must leave to others what they answer for");
    expect_no_race(&STAGE, "cavity", 2 * TILE_COLUMNS + 9, 21, 2 * STEPS + 1);
    destroy_scenario(&box);
    destroy_scenario(&walls);
}
