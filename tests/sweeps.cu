/**
 * @file sweeps.cu
 * 34_two_paths in chunks of any height, which on a CPU it would never choose, and 35_async with the lanes of a
 * GPU. The build defines SOLVER, the stage's file.
 */
#include SOLVER

#include "hard_grids.h"
#include "run_flow.h"
#include "simulation/simulation.h"

#include "check.h"

/** A stage in the chunks that it chooses; both have the same bits. */
static const Stage *as_it_is(void)
{
    int n = 0;
    while (strcmp(stages[n]->name, "35_async") != 0)
        n++;
    return stages[n];
}

/** What comes out with chunks of so many rows, of which the last one may have fewer. */
static Snapshot run_in_chunks(const Scenario *s, int chunk, int steps)
{
    Snapshot r = create_snapshot(s);
    Simulation *solver = begin_simulation(&STAGE, s, small_block);
    solver_of(solver)->rows = chunk;
    advance_simulation(solver, steps);
    read_snapshot(&r, solver);
    end_simulation(solver);
    return r;
}

/** Number of populations whose bits depend on the height of the chunks. */
static size_t bits_apart_in_chunks(const Scenario *s, int steps)
{
    size_t all = 0;
    Snapshot expected = run_flow(as_it_is(), s, small_block, steps);
    for (int chunk = 1; chunk <= s->height; chunk += chunk < 12 ? 1 : 10) {
        Snapshot r = run_in_chunks(s, chunk, steps);
        const size_t count = different_bits(&r, &expected);
        if (count > 0)
            printf("%s %dx%d: %zu populations differ after %d steps in chunks of %d rows\n", s->flow->name,
                   s->width, s->height, count, steps, chunk);
        all += count;
        destroy_snapshot(&r);
    }
    destroy_snapshot(&expected);
    return all;
}

TEST(the_height_of_chunks_changes_no_bit)
{
    for (int k = 0; k < flow_count; k++) {
        if (!takes_flow(&STAGE, &flows[k]))
            continue;
        Scenario s = create_scenario(&flows[k], odd_grid(&flows[k]));
        EXPECT(bits_apart_in_chunks(&s, 20) == 0);
        EXPECT(bits_apart_in_chunks(&s, 23) == 0);
        destroy_scenario(&s);
    }
}

TEST(nor_does_it_in_a_maze) // long
{
    for (int height = 1; height <= 25; height += height < 6 ? 1 : 19)
        for (unsigned solid = 1; solid <= 13; solid += 6) {
            Scenario s = create_maze(131, height, solid);
            for (int steps = 1; steps <= 2 * STEPS + 1; steps++)
                EXPECT(bits_apart_in_chunks(&s, steps) == 0);
            destroy_scenario(&s);
        }
}

TEST(strips_of_any_width_join)
{
    for (int width = 1; width <= 3 * TILE_COLUMNS + 2;
         width += width % TILE_COLUMNS < 3 || width % TILE_COLUMNS > TILE_COLUMNS - 3 ? 1 : 2) {
        Scenario s = create_maze(width, 13, 3);
        for (int steps = STEPS; steps <= STEPS + 2; steps++) {
            Snapshot r = run_in_chunks(&s, 5, steps), expected = run_flow(as_it_is(), &s, small_block, steps);
            EXPECT(different_bits(&r, &expected) == 0);
            destroy_snapshot(&r);
            destroy_snapshot(&expected);
        }
        destroy_scenario(&s);
    }
}

TEST(chunks_and_strips_run_in_any_order)
{
#ifndef GPU_ON_CPU
    SKIP("a GPU takes its threads in an order of its own");
#else
    const char *const orders[] = {"reverse", "shuffle:1", "shuffle:2"};
    Scenario s = create_maze(131, 25, 2);
    Snapshot expected = run_flow(as_it_is(), &s, small_block, 23);
    for (int k = 0; k < 3; k++) {
        setenv("LBM_THREAD_ORDER", orders[k], 1);
        Snapshot r = run_in_chunks(&s, 4, 23);
        EXPECT(different_bits(&r, &expected) == 0);
        destroy_snapshot(&r);
    }
    destroy_snapshot(&expected);
    destroy_scenario(&s);
#endif
}

/** How long a sweep takes in chunks of so many rows: in rows that a warp takes, one after another. */
static double rows_one_after_another(const Scenario *s, int chunk, int at_once)
{
    const int half = (chunk + 1) / 2,
              strips = (s->width + TILE_COLUMNS - 1) / TILE_COLUMNS; // the first one is cut into halves
    const int warps = (s->height + half - 1) / half + (strips - 1) * ((s->height + chunk - 1) / chunk);
    return (double)((warps + at_once - 1) / at_once) * (chunk + 2 * STEPS);
}

TEST(no_other_height_of_chunks_is_done_sooner)
{
    const int sizes[] = {1, 2, 37, 64, 257, 512}, warps[] = {1, 2, 7, 100, 1584, 1000000};
    for (int n = 0; n < 6 * 6 * 6; n++) {
        const int at_once = warps[n / 36];
        Scenario s = create_scenario(find_flow("taylor_green"),
                                     (Parameters){.width = sizes[n % 6], .height = sizes[n / 6 % 6]});
        const int chosen = best_rows(s.width, s.height, at_once);
        EXPECT(chosen >= 1 && chosen <= s.height);
        EXPECT(at_once > 1 || chosen >= s.height - 1);
        for (int chunk = 1; chunk <= s.height; chunk++)
            EXPECT(rows_one_after_another(&s, chosen, at_once) <= rows_one_after_another(&s, chunk, at_once));
        destroy_scenario(&s);
    }
}
