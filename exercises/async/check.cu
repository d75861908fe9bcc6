#include "check_exercise.h"
#include "hard_grids.h"
#include "regularize.h"
#include "run_flow.h"
#include "simulation/simulation.h"
#include "watched_copies.h"

#include EXERCISE

/** What a watched launch did. */
typedef struct {
    Watched thread[WATCHED_THREADS];
    int *prefetched;
} Seen;

/** The flow after a first step and so many more, in chunks of so many rows. If `seen` is there, the
 * launch is watched; then it must be one. With `overwritten` all links are, behind the kernels' back. */
static Snapshot run_in_chunks(const Scenario *s, int chunk, int steps, Seen *seen, int overwritten)
{
    Snapshot r = create_snapshot(s);
    Simulation *solver = begin_simulation(&STAGE, s, small_block);
    solver_of(solver)->rows = chunk;
    advance_simulation(solver, 1);
    if (overwritten)
        CHECK(cudaMemset(solver_of(solver)->links, 0x1e, cell_count(s) * sizeof(LinkMask)));
    if (seen) {
        const Watch watched = watch_copies(solver_of(solver)->links, cell_count(s), PREFETCH_DISTANCE);
        advance_simulation(solver, steps);
        unwatch_copies(watched, seen->thread, seen->prefetched, cell_count(s));
    } else
        advance_simulation(solver, steps);
    read_snapshot(&r, solver);
    end_simulation(solver);
    return r;
}

static void compare(const Scenario *s, Snapshot r, int steps, int chunk)
{
    Snapshot expected = run_plainly(s, steps);
    for (size_t n = 0; n < DIRECTIONS * cell_count(s); n++) {
        const int cell = (int)(n / DIRECTIONS);
        if (!is_wall(s->type[cell]) && !(fabs(r.f[n] - expected.f[n]) <= 1e-6))
            wrong("first wrong population: cell x=%d y=%d, direction %s: expected %.4g, got %.4g\n"
                  "  (%s, %d x %d, after step %d, chunks of %d rows)",
                  cell % s->width, cell / s->width, direction_name(n % DIRECTIONS), expected.f[n], r.f[n],
                  s->flow->name, s->width, s->height, steps, chunk);
    }
    destroy_snapshot(&expected);
}

static void expect_right(const Scenario *s, int chunk, int steps)
{
    Snapshot r = run_in_chunks(s, chunk, steps, NULL, 0);
    compare(s, r, steps + 1, chunk);
    destroy_snapshot(&r);
}

/** A sweep whose copies are watched; what its first thread has seen. */
static Watched watch_sweep(const Scenario *s, int compared)
{
    Seen seen;
    seen.prefetched = (int *)allocate(cell_count(s) * sizeof *seen.prefetched);
    Snapshot r = run_in_chunks(s, 40, STEPS, &seen, 0);
    if (compared)
        compare(s, r, STEPS + 1, 40);
    destroy_snapshot(&r);
    free(seen.prefetched);
    return seen.thread[0];
}

static void expect_requests(const Scenario *s)
{
    const Watched seen = watch_sweep(s, 0);
    if (seen.ahead != PREFETCH_DISTANCE + 1)
        wrong(
            "when a warp waits for its first row, it has requested %d: expected %d, that row and the next %d",
            seen.ahead, PREFETCH_DISTANCE + 1, PREFETCH_DISTANCE);
    if (seen.rows != seen.waits)
        wrong("a warp requests %d rows and uses %d", seen.rows, seen.waits);
}

static void expect_overlap(const Scenario *s)
{
    const Watched seen = watch_sweep(s, 0);
    const int ends = PREFETCH_DISTANCE * (PREFETCH_DISTANCE + 1) / 2; // nothing is left to request
    if (seen.on_their_way < PREFETCH_DISTANCE * seen.waits - ends)
        wrong("while a warp works on a row, %.1f others are on their way on average: expected %.1f",
              (double)seen.on_their_way / seen.waits, PREFETCH_DISTANCE - (double)ends / seen.waits);
}

static Scenario fluid(int width, int height)
{
    return small_flow("taylor_green", width, height);
}

/** One cell of this type in a fluid, in one row after the other. */
static void expect_one_cell(CellType type)
{
    for (int y = 20; y < 23; y++) {
        Scenario s = create_maze(3 * TILE_COLUMNS, 40, 3);
        for (size_t cell = 0; cell < cell_count(&s); cell++)
            s.type[cell] = FLUID;
        s.type[y * s.width + TILE_COLUMNS] = type;
        expect_right(&s, 40, STEPS);
        destroy_scenario(&s);
    }
}

/**
 * With all links overwritten, rows far above the only wall must not change. Row 6 is the last one with links;
 * up to STEPS rows above it the warp reads links, and each step takes the error one row further.
 */
static void expect_links_unread(void)
{
    const int first = 6 + 2 * STEPS + 1, end = 45; // rows above see the wall again, across the border
    Scenario s = fluid(TILE_COLUMNS, 60);
    s.type[5 * s.width + 3] = WALL;
    Snapshot expected = run_in_chunks(&s, 60, STEPS, NULL, 0), got = run_in_chunks(&s, 60, STEPS, NULL, 1);
    for (size_t n = DIRECTIONS * (size_t)first * s.width; n < DIRECTIONS * (size_t)end * s.width; n++)
        if (!(got.f[n] == expected.f[n]))
            wrong("row %d is %d rows above the only wall, and yet its links are read: with these overwritten "
                  "its "
                  "populations change",
                  (int)(n / DIRECTIONS / s.width), (int)(n / DIRECTIONS / s.width) - 5);
    destroy_snapshot(&got);
    destroy_snapshot(&expected);
    destroy_scenario(&s);
}

/** One wall in a single chunk of a single strip, whose links are to be prefetched, and no others. */
static void expect_prefetched_links(void)
{
    enum { HEIGHT = 60, AT = 30 };
    Scenario s = fluid(TILE_COLUMNS, HEIGHT);
    s.type[AT * s.width + 3] = WALL;
    Seen seen;
    seen.prefetched = (int *)allocate(cell_count(&s) * sizeof *seen.prefetched);
    Snapshot r =
        run_in_chunks(&s, 2 * HEIGHT, STEPS, &seen, 0); // the first strip's chunks have half the height
    for (size_t cell = 0; cell < cell_count(&s); cell++) {
        const int y = (int)(cell / (size_t)s.width);
        if (seen.prefetched[cell] > 0 && (y < AT - 1 || y > AT + 1))
            wrong("the links of row %d are prefetched, but no cell of that row has any: the only wall is in "
                  "row "
                  "%d",
                  y, AT);
    }
    for (int n = 0; n < THREADS_PER_WARP; n++)
        if (seen.thread[n].surprises > 0)
            wrong("a warp loads links that it has not prefetched %d rows earlier: they are those of the rows "
                  "beside the only wall",
                  PREFETCH_DISTANCE);
    destroy_snapshot(&r);
    free(seen.prefetched);
    destroy_scenario(&s);
}

void check(void)
{
    Scenario box = fluid(3 * TILE_COLUMNS, 40), walls = create_maze(3 * TILE_COLUMNS, 40, 3);
    part("TODO(1)", "the next rows are to be on their way while the warp works on one: where does the loop "
                    "begin then, and when has it nothing left to request?");
    if (PREFETCH_DISTANCE < 2)
        wrong("PREFETCH_DISTANCE is %d: expected 2, or more", PREFETCH_DISTANCE);
    expect_requests(&box);
    part("TODO(1)",
         "a row goes into one staging buffer and is used out of another, or into one that is still "
         "in use: here each copy is made at once");
    expect_right(&box, 40, STEPS);
    expect_right(&box, 13, STEPS + 2);

    part("TODO(2)", "a row is used before it has come: here each copy is made as late as it may be, when the "
                    "warp waits for it");
    watch_sweep(&box, 1);
    part("TODO(2)", "right, but slow: which batches of copies may still be pending when this row is needed?");
    expect_overlap(&box);

    part("TODO(3)", "walls everywhere: each row of each strip has a boundary");
    expect_right(&walls, 40, STEPS);
    part("TODO(3)", "one wall in a fluid, and rows without links above it: while the warp is at those, its "
                    "pipeline levels are at the wall's");
    expect_one_cell(WALL);
    part("TODO(3)",
         "one cell of inflow in a fluid: it is told apart where a row ends its step. At which row is the "
         "last pipeline level when a row ends its last step?");
    expect_one_cell(INFLOW);
    expect_one_cell(OUTFLOW);
    part("TODO(3)", "right, but slow: where no pipeline level has a row with links, none are read");
    expect_links_unread();

    part("TODO(4)",
         "right, but slow: a warp should not wait for links, nor fetch those that it does not need");
    expect_prefetched_links();

    part("TODO(1) to TODO(4)", "grids that are narrower than a strip, and lower than its halo");
    for (int width = 1; width < TILE_COLUMNS; width += 5) {
        Scenario s = create_maze(width, 4, 2);
        expect_right(&s, 4, 2 * STEPS + 2);
        destroy_scenario(&s);
    }
    expect_right(&walls, 3, 22);
    part("TODO(1) to TODO(4)", "a warp must leave to others what they answer for");
    expect_no_race(&STAGE, "cavity", 2 * TILE_COLUMNS + 9, 21, 2 * STEPS + 1);
    destroy_scenario(&box);
    destroy_scenario(&walls);
}
