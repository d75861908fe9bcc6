#include "check_exercise.h"
#include "gpu/lane.h"
#include "hard_grids.h"
#include "regularize.h"
#include "run_flow.h"
#include "simulation/simulation.h"

#ifndef __CUDACC__
static long loads; // of one number in each lane of a warp
#define load(memory, index) (loads++, load(memory, index))
#endif
#include EXERCISE

static const char *const moment_names[] = {"the momentum along x",
                                           "the momentum along y",
                                           "half the sum of populations 1 and 3",
                                           "half the sum of populations 2 and 4",
                                           "half the sum of populations 5 and 7",
                                           "half the sum of populations 6 and 8"};

/** Which cells hold the same moments: all, those of a row, or none. */
typedef enum { ALL_ALIKE, ROWS_DIFFER, CELLS_DIFFER } Pattern;

/** Of a moment: any number. */
static float any_number(size_t cell, int width, int i, Pattern pattern)
{
    const uint32_t row = (uint32_t)cell / (uint32_t)width;
    const uint32_t place = pattern == CELLS_DIFFER ? (uint32_t)cell : pattern == ROWS_DIFFER ? row : 0;
    uint32_t chance = (place * 6 + (uint32_t)i + 1) * 2654435761u;
    chance ^= chance >> 15;
    chance *= 2246822519u;
    return (float)(chance >> 8 & 0xffff) * 1e-6f - 0.03f;
}

/** The moments one step after those of m, by the functions of the student's file that go cell by cell. */
static void step_plainly(float *next, const float *m, const Scenario *s)
{
    for (size_t cell = 0; cell < cell_count(s); cell++) {
        const int x = (int)(cell % s->width), y = (int)(cell / s->width);
        float f[9], own[MOMENTS];
        pull(f, m, s->type, x, y, &s->physics);
        collide_regularized(own, f, s->type[cell], y, &s->physics);
        for (int i = 0; i < MOMENTS; i++)
            next[at(cell, i, &s->physics)] = own[i];
    }
}

/** Whether a cell is so far inside its chunk, and so far inside its strip. */
static int is_inside(const Scenario *s, int x, int y, int rows_away, int columns_away)
{
    const int row = y % ROWS, last = y / ROWS == (s->height - 1) / ROWS ? (s->height - 1) % ROWS : ROWS - 1;
    const int column = x % TILE_COLUMNS;
    const int right =
        x / TILE_COLUMNS == (s->width - 1) / TILE_COLUMNS ? (s->width - 1) % TILE_COLUMNS : TILE_COLUMNS - 1;
    return row >= rows_away && row <= last - rows_away && column >= columns_away &&
           column <= right - columns_away;
}

/** Ends the check at the first moment that is wrong one step after any moments, in cells so far inside. */
static void expect_step(const Scenario *s, Pattern pattern, int rows_away, int columns_away)
{
    const size_t count = MOMENTS * cell_count(s);
    float *m = (float *)allocate(count * sizeof *m), *expected = (float *)allocate(count * sizeof *m);
    for (size_t cell = 0; cell < cell_count(s); cell++)
        for (int i = 0; i < MOMENTS; i++)
            m[at(cell, i, &s->physics)] = any_number(cell, s->width, i, pattern);
    step_plainly(expected, m, s);
    Simulation *solver = begin_simulation(&STAGE, s, small_block);
    CHECK(cudaMemcpy(solver_of(solver)->f, m, count * sizeof *m, cudaMemcpyHostToDevice));
    advance_simulation(solver, 1);
    CHECK(cudaMemcpy(m, solver_of(solver)->f, count * sizeof *m, cudaMemcpyDeviceToHost));
    end_simulation(solver);
    for (size_t cell = 0; cell < cell_count(s); cell++) {
        const int x = (int)(cell % s->width), y = (int)(cell / s->width);
        for (int i = 0; i < MOMENTS; i++) {
            const size_t n = at(cell, i, &s->physics);
            if (!is_wall(s->type[cell]) && is_inside(s, x, y, rows_away, columns_away) &&
                !(fabsf(m[n] - expected[n]) <= 1e-6f))
                wrong(
                    "first wrong moment: cell x=%d y=%d, %s: expected %.4g, got %.4g\n"
                    "  (%d x %d, one step; column %d of the %d of its strip, row %d of the %d of its chunk)",
                    x, y, moment_names[i], expected[n], m[n], s->width, s->height, x % TILE_COLUMNS,
                    TILE_COLUMNS, y % ROWS, ROWS);
        }
    }
    free(expected);
    free(m);
}

/** A grid of fluid in several strips and chunks. */
static Scenario create_fluid(void)
{
    return small_flow("taylor_green", 3 * TILE_COLUMNS, 4 * ROWS);
}

static Scenario create_walls(void)
{
    return create_maze(3 * TILE_COLUMNS - 1, 4 * ROWS, 3);
}

/** Ends the check at the first population that differs from those of the same collision on populations. */
static void expect_like_populations(const Scenario *s, int steps)
{
    Snapshot r = run_flow(&STAGE, s, small_block, steps), expected = run_plainly(s, steps);
    expect_populations(&r, &expected, 1e-6, "");
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
}

static void expect_flow_like_populations(const char *flow, int width, int height, int steps)
{
    Scenario s = small_flow(flow, width, height);
    expect_like_populations(&s, steps);
    destroy_scenario(&s);
}

/** Each warp is to load each row of its chunk once, and one row beyond each end. */
static void expect_few_loads(void)
{
#ifndef __CUDACC__
    Scenario s = create_fluid();
    Simulation *solver = begin_simulation(&STAGE, &s, small_block);
    loads = 0;
    advance_simulation(solver, 1);
    const long chunks = 3 * 4, enough = chunks * (ROWS + 2) * MOMENTS;
    if (loads > enough)
        wrong("a warp loads %.4g rows for a chunk of %d: expected %d", (double)loads / MOMENTS / chunks, ROWS,
              ROWS + 2);
    end_simulation(solver);
    destroy_scenario(&s);
#endif
}

void check(void)
{
    Scenario fluid = create_fluid(), walls = create_walls();
    part("TODO(1)",
         "inside a chunk of fluid in which all cells are alike, so that it does not matter where a "
         "population comes from: which of them has arrived by `start_row`, which comes in "
         "`finish_row`, and with which sign does each count?");
    expect_step(&fluid, ALL_ALIKE, 1, 1);
    part("TODO(2) and TODO(3)",
         "inside a chunk in which all columns are alike, and rows are not: what moves up "
         "waits for the next row; and `row` is the row of the grid that y counts");
    expect_step(&fluid, ROWS_DIFFER, 1, 1);
    part("TODO(2)", "inside a chunk, away from the ends of a strip: population 1 moves to the next column; "
                    "from which lane does a cell receive it? And 5 and 6 move sideways once, not twice");
    expect_step(&fluid, CELLS_DIFFER, 1, 1);
    part("TODO(2)", "without walls it is right: under a wall a cell gets its own populations back. Where are "
                    "its 5 and 6 now?");
    expect_step(&walls, CELLS_DIFFER, 1, 1);

    part("TODO(3)", "the first or the last row of a chunk: what arrives there comes from which rows too? "
                    "`row` wraps round at the ends of the grid, y does not");
    expect_step(&fluid, CELLS_DIFFER, 0, 1);
    expect_step(&walls, CELLS_DIFFER, 0, 1);
    part("TODO(4)", "the columns at the ends of a strip: which lanes have no neighbour at one side? And each "
                    "column has one strip that stores it");
    expect_step(&fluid, CELLS_DIFFER, 0, 0);
    expect_step(&walls, CELLS_DIFFER, 0, 0);

    part("TODO(1) to TODO(4)", "whole flows, and grids that are narrower than a strip or lower than a chunk");
    expect_flow_like_populations("cavity", 2 * TILE_COLUMNS + 9, 21, 30);
    expect_flow_like_populations("channel_cylinder", 46, 21, 30);
    for (int width = 1; width <= TILE_COLUMNS + 2; width += 5)
        for (int height = 1; height <= ROWS + 1; height++) {
            Scenario s = create_maze(width, height, 2);
            expect_like_populations(&s, 5);
            destroy_scenario(&s);
        }
    part("TODO(4)", "right, but slow: a strip can own more of the columns that its lanes read");
    if (TILE_COLUMNS < LANES - 2)
        wrong("a strip owns %d of its %d columns: expected %d", TILE_COLUMNS, LANES, LANES - 2);
    part("TODO(3)", "right, but slow: fewer rows beyond the ends of a chunk would do");
    expect_few_loads();
    part("TODO(3) and TODO(4)", "a warp must leave to others what they own");
    expect_no_race(&STAGE, "cavity", 2 * TILE_COLUMNS + 9, 21, 11);
    destroy_scenario(&walls);
    destroy_scenario(&fluid);
}
