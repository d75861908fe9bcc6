#include "check_exercise.h"
#include "hard_grids.h"
#include "regularize.h"
#include "run_flow.h"

#include EXERCISE

/** Ends the check at the first population that is wrong, of cells so far above the first row of their chunk
 * and so far inside their strip. */
static void compare(const Scenario *s, const Real *got, const Real *expected, int chunk, int steps,
                    int rows_away, int columns_away)
{
    for (size_t n = 0; n < DIRECTIONS * cell_count(s); n++) {
        const int cell = (int)(n / DIRECTIONS), x = cell % s->width, y = cell / s->width;
        const int strip = x < s->width - TILE_COLUMNS / 2 ? (x + TILE_COLUMNS / 2) / TILE_COLUMNS : 0;
        const int height = strip == 0 ? (chunk + 1) / 2 : chunk, row = y % height; // of a chunk of this strip
        const int column =
            ((x < s->width - TILE_COLUMNS / 2 ? x : x - s->width) + TILE_COLUMNS / 2) % TILE_COLUMNS;
        const int last = row == height - 1 || y == s->height - 1; // the row above it is a first one
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

/** Runs a scenario in chunks of so many rows. */
static Result run_in_chunks(const Scenario *s, int chunk, int steps)
{
    Result r = create_result(s);
    Solver *solver = STAGE.create(s, small_block);
    solver->rows = chunk;
    STAGE.advance(solver, steps);
    STAGE.read(solver, r.f);
    STAGE.destroy(solver);
    return r;
}

static void expect_right(const Scenario *s, int chunk, int steps, int rows_away, int columns_away)
{
    Result r = run_in_chunks(s, chunk, steps), expected = run_plainly(s, steps);
    compare(s, r.f, expected.f, chunk, steps, rows_away, columns_away);
    destroy_result(&r);
    destroy_result(&expected);
}

static Scenario fluid(int height)
{
    return small_flow("taylor_green", 3 * TILE_COLUMNS, height);
}

static Scenario maze(int height)
{
    return create_maze(3 * TILE_COLUMNS, height, 3);
}

/** One cell of this type in a fluid, for so many rows. */
static void expect_one_cell(Cell type)
{
    for (int y = 20; y < 23; y++) {
        Scenario s = maze(40);
        for (size_t cell = 0; cell < cell_count(&s); cell++)
            s.type[cell] = FLUID;
        s.type[y * s.width + TILE_COLUMNS] = type;
        expect_right(&s, 40, STEPS + 1, 0, 0);
        destroy_scenario(&s);
    }
}

/** What the stage makes of a scenario in a first step and a sweep, with all links overwritten behind the
 * kernels' back in between, or not. */
static Result sweep_once(const Scenario *s, int overwritten)
{
    Result r = create_result(s);
    Solver *solver = STAGE.create(s, small_block);
    solver->rows = s->height;
    STAGE.advance(solver, 1);
    if (overwritten)
        CHECK(cudaMemset(solver->links, 0x1e, cell_count(s) * sizeof(LinkMask)));
    STAGE.advance(solver, STEPS);
    STAGE.read(solver, r.f);
    STAGE.destroy(solver);
    return r;
}

/**
 * With all links overwritten, rows far above the only wall must not change. Row 6 is the last one with links;
 * up to STEPS rows above it the warp reads links, and each step takes the error one row further.
 */
static void expect_links_unread(void)
{
    const int first = 6 + 2 * STEPS + 1, end = 45; // rows above see the wall again, across the border
    Scenario s = small_flow("taylor_green", TILE_COLUMNS, 60);
    s.type[5 * s.width + 3] = WALL;
    Result expected = sweep_once(&s, 0), got = sweep_once(&s, 1);
    for (size_t n = DIRECTIONS * (size_t)first * s.width; n < DIRECTIONS * (size_t)end * s.width; n++)
        if (!(got.f[n] == expected.f[n]))
            wrong("row %d is %d rows above the only wall, and yet its links are read: with these "
                  "overwritten its populations change",
                  (int)(n / DIRECTIONS / s.width), (int)(n / DIRECTIONS / s.width) - 5);
    destroy_result(&got);
    destroy_result(&expected);
    destroy_scenario(&s);
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
    Solver *solver = STAGE.create(&s, small_block);
    float *first = copy_moments(&s, solver->f);
    STAGE.advance(solver, 1 + STEPS);
    float *before = copy_moments(&s, solver->next);
    if (memcmp(first, before, MOMENTS * cell_count(&s) * sizeof *first) != 0)
        wrong("`advance` takes more than one sweep for the %d steps after the first one", STEPS);
    free(before);
    free(first);
    STAGE.destroy(solver);
    destroy_scenario(&s);
}

void check(void)
{
    Scenario box = fluid(40), walls = maze(40);
    part("TODO(1) to TODO(4)",
         "steps that are made one at a time, by the other kernel, were right before you began: "
         "there `steps` is 1, in the same functions");
    expect_right(&box, 40, STEPS, 0, 0);
    expect_right(&walls, 13, STEPS, 0, 0);
    part("TODO(1) to TODO(4)", "`several_steps` is to make five steps, or more, with numbers that are "
                               "fetched once, and `advance` is to "
                               "launch it wherever so many steps are left, as it did before you began");
    if (STEPS < 5)
        wrong("STEPS is %d: expected 5, or more", STEPS);
    expect_one_sweep();
    part("TODO(1)",
         "five steps in one sweep, far from the ends of strips and chunks: every pipeline stage keeps its "
         "own rows, and hands on what it has ended");
    expect_right(&box, 40, STEPS + 1, STEPS, STEPS);
    part("TODO(1)", "without walls it is right: which row's links does a pipeline stage need where a row "
                    "begins, and where one ends?");
    expect_right(&walls, 40, STEPS + 1, STEPS, STEPS);

    part("TODO(2)",
         "the first rows of a chunk: how far below it must a warp begin, so that five steps later they "
         "are right? The row and its number y go together");
    expect_right(&box, 40, STEPS + 1, 0, STEPS);
    expect_right(&walls, 40, STEPS + 1, 0, STEPS);
    expect_right(&walls, 13, STEPS + 1, 0, STEPS);

    part("TODO(3)",
         "the columns from the border of its strip are wrong, the others are right: how many does a "
         "strip lose at each side, and which ones are left?");
    expect_right(&box, 40, STEPS + 1, 0, 0);
    expect_right(&walls, 13, STEPS + 1, 0, 0);
    expect_right(&walls, 3, 23, 0, 0);

    part("TODO(4)", "one wall in a fluid, and rows without links above it: while the warp is at those, its "
                    "pipeline stages are at the wall's");
    expect_one_cell(WALL);
    part("TODO(4)",
         "one cell of inflow in a fluid: it is told apart where a row ends its step. At which row is the "
         "last pipeline stage when a row ends its last step?");
    expect_one_cell(INFLOW);
    expect_one_cell(OUTFLOW);
    part("TODO(4)", "right, but slow: where no pipeline stage has a row with links, none are read");
    expect_links_unread();

    part("TODO(1) to TODO(4)", "grids that are narrower than a strip, and lower than its halo");
    for (int width = 1; width < TILE_COLUMNS; width += 5) {
        Scenario s = create_maze(width, 4, 2);
        expect_right(&s, 4, 2 * STEPS + 3, 0, 0);
        destroy_scenario(&s);
    }
    part("TODO(1) to TODO(4)", "a warp must leave to others what they answer for");
    expect_no_race(&STAGE, "cavity", 2 * TILE_COLUMNS + 9, 21, 2 * STEPS + 1);
    destroy_scenario(&box);
    destroy_scenario(&walls);
}
